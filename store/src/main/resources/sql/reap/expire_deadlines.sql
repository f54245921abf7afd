-- Tasks without an attempt in progress end at once. Compares the deadline again behind the lock: a person may have reopened the task.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), due AS MATERIALIZED (
  SELECT task.id
  FROM task, clock
  WHERE task.deadline_at <= now
    AND task.state IN ('WAITING', 'PENDING', 'APPROVAL_REQUIRED', 'SCHEDULED', 'DEFERRED', 'BLOCKED')
  ORDER BY task.deadline_at
  LIMIT :max
), locked AS MATERIALIZED (
  SELECT task.id, task.state, task.deadline_at
  FROM task JOIN due USING (id)
  WHERE task.deadline_at <= (SELECT now FROM clock)
  ORDER BY task.id
  FOR UPDATE OF task SKIP LOCKED
), expired AS (
  UPDATE task
  SET state = 'TIMEOUT', reason = 'deadline_passed', state_since = now, not_before = NULL, ended_at = now
  FROM locked, clock
  WHERE task.id = locked.id AND task.state = locked.state
    AND CAST(task.state AS text) IN ('WAITING', 'PENDING', 'APPROVAL_REQUIRED', 'SCHEDULED', 'DEFERRED', 'BLOCKED')
  RETURNING task.id, task.run_id, task.fencing_token, task.state, locked.state AS from_state, locked.deadline_at
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(state)
  FROM expired
  HAVING count(*) > 0
), marks AS (
  INSERT INTO mark (run_id)
  SELECT DISTINCT run_id FROM expired WHERE run_id IS NOT NULL
), steps AS (
  INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
  SELECT id, fencing_token, from_state, 'TIMEOUT', 'deadline_passed', :actor, now
  FROM expired, clock
)
SELECT id, CAST(NULL AS uuid) AS dispatch_id, CAST(NULL AS uuid) AS worker_id,
       CAST(extract(epoch FROM now - deadline_at) AS float8) AS since_sign,
       CAST('TIMEOUT' AS text) AS ended_as
FROM expired, clock
