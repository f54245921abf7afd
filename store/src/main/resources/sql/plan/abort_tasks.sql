-- Runs under the locks of the tasks. The first reason wins. Returns the workers to notify.
UPDATE task
SET abort_reason = :reason, abort_at = belay_now(), abort_by = :by, abort_note = :note
WHERE id = ANY(CAST(:tasks AS uuid[])) AND CAST(state AS text) IN ('DISPATCHED', 'RUNNING') AND abort_reason IS NULL
RETURNING worker_id
