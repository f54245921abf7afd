SELECT state, run_id, dispatch_id, worker_id, abort_reason, abort_at, abort_by, abort_note
FROM task
WHERE id = :id
FOR UPDATE
