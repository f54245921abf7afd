-- Asks attempts in progress to end; their tasks end with the outcome. The first reason wins.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), locked AS MATERIALIZED (
  SELECT task.id, task.dispatch_id, task.worker_id, task.deadline_at
  FROM task JOIN attempt ON attempt.dispatch_id = task.dispatch_id, clock
  WHERE task.deadline_at <= now AND task.state IN ('DISPATCHED', 'RUNNING')
    AND attempt.abort_reason IS NULL AND attempt.ended_at IS NULL
  ORDER BY task.id
  LIMIT :max
  FOR UPDATE OF task SKIP LOCKED
), aborted AS (
  UPDATE attempt
  SET abort_reason = 'deadline_passed'
  FROM locked
  WHERE attempt.dispatch_id = locked.dispatch_id AND attempt.abort_reason IS NULL AND attempt.ended_at IS NULL
  RETURNING locked.id, locked.dispatch_id, locked.worker_id, locked.deadline_at
)
SELECT id, dispatch_id, worker_id, CAST(extract(epoch FROM now - deadline_at) AS float8) AS since_sign,
       CAST(NULL AS text) AS ended_as
FROM aborted, clock
