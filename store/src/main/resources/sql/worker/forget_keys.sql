-- Keys of workers forgotten long ago. A revoked key stays until a person allows the worker again.
DELETE FROM worker_key
WHERE last_hello_at < belay_now() - make_interval(secs => :age_seconds) AND revoked_at IS NULL
  AND NOT EXISTS (SELECT FROM worker WHERE worker.id = worker_key.worker_id)
  AND NOT EXISTS (SELECT FROM task WHERE task.worker_id = worker_key.worker_id AND task.state IN ('DISPATCHED', 'RUNNING'))
