-- Asks attempts in progress to end; their tasks end with the outcome. The first reason wins.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), locked AS MATERIALIZED (
  SELECT task.id, task.dispatch_id, task.worker_id, task.deadline_at
  FROM task, clock
  WHERE task.deadline_at <= now AND task.state IN ('DISPATCHED', 'RUNNING')
    AND task.abort_reason IS NULL
  ORDER BY task.id
  LIMIT :max
  FOR UPDATE OF task SKIP LOCKED
), aborted AS (
  UPDATE task
  SET abort_reason = 'deadline_passed', abort_at = clock.now, abort_by = :actor
  FROM locked, clock
  WHERE task.id = locked.id AND task.dispatch_id = locked.dispatch_id AND CAST(task.state AS text) IN ('DISPATCHED', 'RUNNING') AND task.abort_reason IS NULL
  RETURNING locked.id, locked.dispatch_id, locked.worker_id, locked.deadline_at
)
SELECT id, dispatch_id, worker_id, CAST(extract(epoch FROM now - deadline_at) AS float8) AS since_sign,
       CAST(NULL AS text) AS ended_as
FROM aborted, clock
