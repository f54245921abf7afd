-- Runs under the locks of the tasks. The first reason wins; the planner ends the tasks of a run that has timed out. Returns the workers
-- to notify.
WITH active AS MATERIALIZED (
  SELECT t.id, t.dispatch_id
  FROM task t
  WHERE t.id = ANY (CAST(:tasks AS uuid[]))
    AND t.state IN ('DISPATCHED', 'RUNNING')
    AND EXISTS (SELECT 1 FROM run r WHERE r.id = :run AND r.state IN ('QUEUED', 'RUNNING') AND r.timed_out_at IS NULL)
  ORDER BY t.id
  FOR UPDATE OF t
)
UPDATE task
SET abort_reason = :reason, abort_at = belay_now(), abort_by = :by, abort_note = :note
FROM active
WHERE task.id = active.id AND task.dispatch_id = active.dispatch_id AND task.abort_reason IS NULL
  AND CAST(task.state AS text) IN ('DISPATCHED', 'RUNNING')
RETURNING task.worker_id
