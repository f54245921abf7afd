-- Runs under the locks of the tasks. The first reason wins. Returns the workers to notify.
UPDATE attempt
SET abort_reason = :reason
FROM task
WHERE task.id = ANY(CAST(:tasks AS uuid[]))
  AND task.state IN ('DISPATCHED', 'RUNNING')
  AND attempt.dispatch_id = task.dispatch_id
  AND attempt.abort_reason IS NULL
  AND attempt.ended_at IS NULL
RETURNING attempt.worker_id
