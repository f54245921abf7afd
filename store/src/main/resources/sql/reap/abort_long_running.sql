WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), locked AS MATERIALIZED (
  SELECT task.id, task.dispatch_id, task.worker_id, task.started_at
  FROM task, clock
  WHERE task.state = 'RUNNING' AND task.started_at <= now - make_interval(secs => :running_seconds)
    AND task.abort_reason IS NULL
  ORDER BY task.id
  LIMIT :max
  FOR UPDATE OF task SKIP LOCKED
), aborted AS (
  UPDATE task
  SET abort_reason = 'running_too_long', abort_at = clock.now, abort_by = :actor
  FROM locked, clock
  WHERE task.id = locked.id AND task.dispatch_id = locked.dispatch_id AND CAST(task.state AS text) = 'RUNNING' AND task.abort_reason IS NULL
  RETURNING locked.id, locked.dispatch_id, locked.worker_id, locked.started_at
)
SELECT id, dispatch_id, worker_id,
       CAST(extract(epoch FROM now - started_at) - :running_seconds AS float8) AS since_sign,
       CAST(NULL AS text) AS ended_as
FROM aborted, clock
