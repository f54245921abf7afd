-- Moves to the worker's new session the tasks that never started and those that survived the old session.
WITH live AS MATERIALIZED (
  SELECT id, session_id
  FROM worker
  WHERE id = :worker AND session_id = :session AND connection = :connection
  FOR SHARE
), input AS (
  SELECT dispatch_id, from_session, adopted
  FROM unnest(CAST(:dispatches AS uuid[]), CAST(:from_sessions AS uuid[]), CAST(:adopted AS boolean[]))
       AS i (dispatch_id, from_session, adopted)
), locked AS MATERIALIZED (
  SELECT task.id, input.dispatch_id, input.from_session, input.adopted
  FROM input JOIN attempt USING (dispatch_id) JOIN task ON task.id = attempt.task_id
  WHERE EXISTS (SELECT 1 FROM live)
  ORDER BY task.id
  FOR UPDATE OF task
), rebound AS (
  UPDATE task
  SET session_id = live.session_id
  FROM locked, live
  WHERE task.id = locked.id AND task.dispatch_id = locked.dispatch_id AND task.worker_id = live.id
    AND task.session_id = locked.from_session
    AND (CAST(task.state AS text) = 'DISPATCHED' OR (CAST(task.state AS text) = 'RUNNING' AND locked.adopted))
  RETURNING task.dispatch_id, task.session_id
), attempts AS (
  UPDATE attempt
  SET session_id = rebound.session_id
  FROM rebound
  WHERE attempt.dispatch_id = rebound.dispatch_id
)
SELECT dispatch_id FROM rebound
