-- Runs under the lock of the task. The first reason wins.
UPDATE task
SET abort_reason = :reason
WHERE id = :task AND dispatch_id = :dispatch AND CAST(state AS text) IN ('DISPATCHED', 'RUNNING') AND abort_reason IS NULL
