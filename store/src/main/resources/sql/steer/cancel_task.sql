WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), cancelled AS (
  UPDATE task
  SET state = 'CANCELLED', reason = 'cancelled', state_since = clock.now, ended_at = clock.now
  FROM clock
  WHERE task.id = :id AND task.state = CAST(:from AS task_state) AND task.state = ANY (CAST(:idle AS task_state[]))
  RETURNING task.id, task.run_id
), marks AS (
  INSERT INTO mark (run_id)
  SELECT run_id FROM cancelled WHERE run_id IS NOT NULL
)
INSERT INTO history (task_id, from_state, to_state, reason, actor, at)
SELECT cancelled.id, CAST(:from AS task_state), 'CANCELLED', 'cancelled', :actor, clock.now
FROM cancelled, clock
