-- Runs under the lock of the task. The first reason wins.
UPDATE task
SET abort_reason = :reason, abort_at = belay_now(), abort_by = :by, abort_note = :note
WHERE id = :task AND dispatch_id = :dispatch AND CAST(state AS text) IN ('DISPATCHED', 'RUNNING') AND abort_reason IS NULL
