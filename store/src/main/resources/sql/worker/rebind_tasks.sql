WITH live AS MATERIALIZED (
  SELECT id, session_id
  FROM worker
  WHERE id = :worker AND session_id = :session AND connection = :connection
  FOR SHARE
), input AS (
  SELECT dispatch_id, from_session
  FROM unnest(CAST(:dispatches AS uuid[]), CAST(:from_sessions AS uuid[])) AS i (dispatch_id, from_session)
), rebound AS (
  UPDATE task
  SET session_id = live.session_id
  FROM input, live, attempt
  WHERE attempt.dispatch_id = input.dispatch_id AND task.id = attempt.task_id
    AND task.dispatch_id = input.dispatch_id AND task.worker_id = live.id
    AND task.session_id = input.from_session AND task.state = 'DISPATCHED'
  RETURNING task.dispatch_id, task.session_id
), attempts AS (
  UPDATE attempt
  SET session_id = rebound.session_id
  FROM rebound
  WHERE attempt.dispatch_id = rebound.dispatch_id
)
SELECT dispatch_id FROM rebound
