-- Runs under the locks of the tasks. A fact about the attempt, independent of its outcome. A task that waits has none.
WITH input AS MATERIALIZED (
  SELECT task_id, dispatch_id, worker_id, bytes
  FROM unnest(CAST(:tasks AS uuid[]), CAST(:dispatches AS uuid[]), CAST(:workers AS uuid[]), CAST(:bytes AS bigint[]))
       AS i (task_id, dispatch_id, worker_id, bytes)
), past AS (
  UPDATE past_attempt
  SET output_lost = input.bytes
  FROM input
  WHERE past_attempt.task_id = input.task_id AND past_attempt.dispatch_id = input.dispatch_id
    AND past_attempt.worker_id = input.worker_id
  RETURNING past_attempt.task_id
), touched AS (
  -- A new version of the row, so that retention does not remove a task whose archived attempts have changed since.
  UPDATE task
  SET state_since = task.state_since
  FROM past
  WHERE task.id = past.task_id AND task.ended_at IS NOT NULL AND task.state NOT IN ('DISPATCHED', 'RUNNING')
    AND NOT EXISTS (SELECT FROM input WHERE input.task_id = task.id AND input.dispatch_id = task.dispatch_id)
)
UPDATE task
SET output_lost = input.bytes
FROM input
WHERE task.id = input.task_id AND task.dispatch_id = input.dispatch_id AND task.worker_id = input.worker_id
  AND task.state <> 'WAITING'
