-- The first reason wins. Returns the workers to notify.
WITH active AS MATERIALIZED (
  SELECT t.id, t.dispatch_id
  FROM task t
  WHERE t.run_id = :run
    AND t.state IN ('DISPATCHED', 'RUNNING')
    AND EXISTS (SELECT 1 FROM run r WHERE r.id = :run AND r.state IN ('QUEUED', 'RUNNING'))
  ORDER BY t.id
  FOR UPDATE OF t
)
UPDATE task
SET abort_reason = :reason, abort_at = belay_now(), abort_by = :by, abort_note = :note
FROM active
WHERE task.id = active.id AND task.dispatch_id = active.dispatch_id AND task.abort_reason IS NULL
  AND CAST(task.state AS text) IN ('DISPATCHED', 'RUNNING')
RETURNING task.worker_id
