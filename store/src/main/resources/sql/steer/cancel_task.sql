WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), cancelled AS (
  UPDATE task
  SET state = 'CANCELLED', reason = 'cancelled', state_since = clock.now, ended_at = clock.now
  FROM clock
  WHERE task.id = :id AND task.state = CAST(:from AS task_state) AND task.state = ANY (CAST(:idle AS task_state[]))
  RETURNING task.id, task.run_id, task.fencing_token, task.state
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(state)
  FROM cancelled
  HAVING count(*) > 0
), marks AS (
  INSERT INTO mark (run_id)
  SELECT run_id FROM cancelled WHERE run_id IS NOT NULL
)
INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
SELECT cancelled.id, cancelled.fencing_token, CAST(:from AS task_state), 'CANCELLED', 'cancelled', :actor, clock.now
FROM cancelled, clock
