-- PENDING though it could have moved, be it that its wait is over or that it waits for no time at all.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), stuck AS MATERIALIZED (
  SELECT task.id
  FROM task, clock
  WHERE task.state = 'PENDING'
    AND (task.not_before IS NULL OR task.not_before <= now - make_interval(secs => :pending_seconds))
    AND task.state_since <= now - make_interval(secs => :pending_seconds)
  LIMIT :max
), locked AS MATERIALIZED (
  SELECT task.id, greatest(task.state_since, task.not_before) AS movable_at
  FROM task JOIN stuck USING (id)
  WHERE CAST(task.state AS text) = 'PENDING'
  ORDER BY task.id
  FOR UPDATE OF task SKIP LOCKED
), replayed AS (
  UPDATE task
  SET state = 'SCHEDULED', reason = 'pending_replayed', state_since = now, not_before = NULL
  FROM locked, clock
  WHERE task.id = locked.id AND CAST(task.state AS text) = 'PENDING'
  RETURNING task.id, locked.movable_at
), histories AS (
  INSERT INTO history (task_id, from_state, to_state, reason, actor, at)
  SELECT id, 'PENDING', 'SCHEDULED', 'pending_replayed', :actor, now
  FROM replayed, clock
)
SELECT id, CAST(NULL AS uuid) AS dispatch_id, CAST(NULL AS uuid) AS worker_id,
       CAST(extract(epoch FROM now - movable_at) AS float8) AS since_sign,
       CAST(NULL AS text) AS ended_as
FROM replayed, clock
