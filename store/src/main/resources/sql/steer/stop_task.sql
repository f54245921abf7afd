-- Ends or parks an idle task. A parked one keeps the time that it waits for.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), stopped AS (
  UPDATE task
  SET state = CAST(:to AS task_state), reason = :reason, state_since = clock.now, 
      not_before = CASE WHEN NOT CAST(:terminal AS boolean) THEN task.not_before END,
      ended_at = CASE WHEN CAST(:terminal AS boolean) THEN clock.now END
  FROM clock
  WHERE task.id = :id AND task.state = CAST(:from AS task_state) AND task.state = ANY (CAST(:idle AS task_state[]))
  RETURNING task.id, task.run_id, task.fencing_token, task.state
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(state)
  FROM stopped
  HAVING count(*) > 0
), marks AS (
  INSERT INTO mark (run_id)
  SELECT run_id FROM stopped WHERE run_id IS NOT NULL
)
INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
SELECT stopped.id, stopped.fencing_token, CAST(:from AS task_state), stopped.state, :reason, :actor, clock.now
FROM stopped, clock
