-- Under the lock of the task, which no worker holds.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), moved AS (
  UPDATE task
  SET state = CAST(:to AS task_state), reason = :reason, state_since = clock.now,
      not_before = CASE :to WHEN 'PENDING' THEN clock.now WHEN 'BLOCKED' THEN task.not_before END, ended_at = CASE WHEN :terminal THEN clock.now END
  FROM clock
  WHERE task.id = :id AND task.state = CAST(:from AS task_state)
    AND CAST(task.state AS text) IN ('WAITING', 'PENDING', 'APPROVAL_REQUIRED', 'SCHEDULED', 'DEFERRED', 'BLOCKED')
  RETURNING task.id, task.run_id, task.fencing_token, task.state
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(state)
  FROM moved
  HAVING count(*) > 0
), marks AS (
  INSERT INTO mark (run_id)
  SELECT run_id FROM moved WHERE run_id IS NOT NULL
)
INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
SELECT moved.id, moved.fencing_token, CAST(:from AS task_state), moved.state, :reason, :actor, clock.now
FROM moved, clock
