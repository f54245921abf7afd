DELETE FROM worker_key WHERE worker_id = :worker
