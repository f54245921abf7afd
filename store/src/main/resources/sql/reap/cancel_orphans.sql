-- Nothing will ever trigger these tasks.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), cancelled AS (
  UPDATE task
  SET state = 'CANCELLED', reason = 'orphaned', state_since = now, ended_at = now
  FROM clock
  WHERE task.run_id = :run AND task.state = 'WAITING'
  RETURNING task.id
)
INSERT INTO history (task_id, from_state, to_state, reason, actor, at)
SELECT id, 'WAITING', 'CANCELLED', 'orphaned', :actor, now
FROM cancelled, clock
