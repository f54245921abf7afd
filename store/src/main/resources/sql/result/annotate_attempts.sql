-- Runs under the locks of the tasks. A late outcome is kept for people and changes nothing. The first one stays.
WITH input AS MATERIALIZED (
  SELECT task_id, dispatch_id, outcome
  FROM unnest(CAST(:tasks AS uuid[]), CAST(:dispatches AS uuid[]), CAST(:outcomes AS text[])) AS i (task_id, dispatch_id, outcome)
), past AS (
  UPDATE past_attempt
  SET late_outcome = input.outcome
  FROM input
  WHERE past_attempt.task_id = input.task_id AND past_attempt.dispatch_id = input.dispatch_id
    AND past_attempt.late_outcome IS NULL
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
SET late_outcome = input.outcome
FROM input
WHERE task.id = input.task_id AND task.dispatch_id = input.dispatch_id AND task.attempt_ended_at IS NOT NULL
  AND task.state NOT IN ('DISPATCHED', 'RUNNING') AND task.late_outcome IS NULL
