SELECT state, run_id, dispatch_id, worker_id
FROM task
WHERE id = :id
FOR UPDATE
