-- Workers that nobody has heard of for long and that hold nothing. One that comes back after all says hello as a new one.
DELETE FROM worker
WHERE last_seen_at < belay_now() - make_interval(secs => :age_seconds)
  AND NOT EXISTS (SELECT 1 FROM task WHERE task.worker_id = worker.id AND task.state IN ('DISPATCHED', 'RUNNING'))
