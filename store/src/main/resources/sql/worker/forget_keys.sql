-- Of workers that are forgotten for long. One that is revoked stays so until somebody allows it.
DELETE FROM worker_key
WHERE last_hello_at < belay_now() - make_interval(secs => :age_seconds) AND revoked_at IS NULL
  AND NOT EXISTS (SELECT FROM worker WHERE worker.id = worker_key.worker_id)
  AND NOT EXISTS (SELECT FROM task WHERE task.worker_id = worker_key.worker_id AND task.state IN ('DISPATCHED', 'RUNNING'))
