-- A missing approval denies the task, and a wait for a missing event fails. The leader's timers end a wait for a time. A BLOCKED
-- task waits for a person without a limit; only its deadline ends it.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), over AS MATERIALIZED (
  SELECT task.id
  FROM task, clock
  WHERE (task.state = 'APPROVAL_REQUIRED' AND task.state_since <= now - make_interval(secs => :approval_seconds))
     OR (task.state = 'DEFERRED' AND task.not_before IS NULL
         AND task.state_since <= now - make_interval(secs => :deferral_seconds))
  ORDER BY task.state_since
  LIMIT :max
), locked AS MATERIALIZED (
  SELECT task.id, task.state,
         task.state_since + make_interval(secs =>
           CASE task.state WHEN 'APPROVAL_REQUIRED' THEN :approval_seconds ELSE :deferral_seconds END) AS limit_at,
         CAST(CASE task.state WHEN 'APPROVAL_REQUIRED' THEN 'DENIED' ELSE 'FAILED' END AS task_state) AS to_state,
         CASE task.state WHEN 'APPROVAL_REQUIRED' THEN 'approval_expired' ELSE 'deferral_expired' END AS reason
  FROM task JOIN over USING (id)
  ORDER BY task.id
  FOR UPDATE OF task SKIP LOCKED
), expired AS (
  UPDATE task
  SET state = locked.to_state, reason = locked.reason, state_since = now, not_before = NULL, ended_at = now
  FROM locked, clock
  WHERE task.id = locked.id AND task.state = locked.state
    AND CAST(task.state AS text) IN ('APPROVAL_REQUIRED', 'DEFERRED')
    AND (CAST(task.state AS text) = 'APPROVAL_REQUIRED' OR task.not_before IS NULL)
  RETURNING task.id, task.run_id, task.fencing_token, locked.state AS from_state, locked.to_state, locked.reason, locked.limit_at
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(to_state)
  FROM expired
  HAVING count(*) > 0
), marks AS (
  INSERT INTO mark (run_id)
  SELECT DISTINCT run_id FROM expired WHERE run_id IS NOT NULL
), steps AS (
  INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
  SELECT id, fencing_token, from_state, to_state, reason, :actor, now
  FROM expired, clock
)
SELECT id, CAST(NULL AS uuid) AS dispatch_id, CAST(NULL AS uuid) AS worker_id,
       CAST(extract(epoch FROM now - limit_at) AS float8) AS since_sign,
       CAST(to_state AS text) AS ended_as
FROM expired, clock
