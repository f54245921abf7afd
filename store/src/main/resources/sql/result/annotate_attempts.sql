-- A late outcome is kept for people and changes nothing. The first one stays.
UPDATE attempt
SET late_outcome = input.outcome
FROM unnest(CAST(:dispatches AS uuid[]), CAST(:outcomes AS text[])) AS input (dispatch_id, outcome)
WHERE attempt.dispatch_id = input.dispatch_id AND attempt.ended_at IS NOT NULL AND attempt.late_outcome IS NULL
