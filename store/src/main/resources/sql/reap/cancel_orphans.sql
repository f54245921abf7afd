-- Nothing will ever trigger these tasks.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), cancelled AS (
  UPDATE task
  SET state = 'CANCELLED', reason = 'orphaned', state_since = now, ended_at = now
  FROM clock
  WHERE task.run_id = :run AND task.state = 'WAITING'
  RETURNING task.id, task.run_id, task.fencing_token, task.state
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(state)
  FROM cancelled
  HAVING count(*) > 0
)
INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
SELECT id, fencing_token, 'WAITING', 'CANCELLED', 'orphaned', :actor, now
FROM cancelled, clock
