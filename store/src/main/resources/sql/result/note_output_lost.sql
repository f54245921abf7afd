-- A fact about the attempt, independent of its outcome.
UPDATE attempt
SET output_lost = input.bytes
FROM unnest(CAST(:dispatches AS uuid[]), CAST(:workers AS uuid[]), CAST(:bytes AS bigint[])) AS input (dispatch_id, worker_id, bytes)
WHERE attempt.dispatch_id = input.dispatch_id AND attempt.worker_id = input.worker_id
