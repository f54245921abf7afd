-- Moves to the worker's new session the tasks that never started and those that survived the old session.
WITH live AS MATERIALIZED (
  SELECT id, session_id
  FROM worker
  WHERE id = :worker AND session_id = :session AND connection = :connection
  FOR SHARE
), input AS MATERIALIZED (
  SELECT task_id, dispatch_id, from_session, adopted
  FROM unnest(CAST(:tasks AS uuid[]), CAST(:dispatches AS uuid[]), CAST(:from_sessions AS uuid[]), CAST(:adopted AS boolean[]))
       AS i (task_id, dispatch_id, from_session, adopted)
  ORDER BY task_id
)
UPDATE task
SET session_id = live.session_id
FROM input, live
WHERE task.id = input.task_id AND task.dispatch_id = input.dispatch_id AND task.worker_id = live.id
  AND task.session_id = input.from_session
  AND (CAST(task.state AS text) = 'DISPATCHED' OR (CAST(task.state AS text) = 'RUNNING' AND input.adopted))
RETURNING task.dispatch_id
