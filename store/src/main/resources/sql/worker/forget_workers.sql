-- Workers that nobody has heard of for long and that hold nothing, and sooner those whose name another one has taken since,
-- as after the state folder was deleted. One that comes back after all joins again with its key.
DELETE FROM worker
WHERE (last_seen_at < belay_now() - make_interval(secs => :age_seconds)
       OR (state = 'DISCONNECTED' AND last_seen_at < belay_now() - make_interval(secs => :replaced_age_seconds)
           AND EXISTS (SELECT FROM worker AS other
                       WHERE other.name = worker.name AND other.id <> worker.id AND other.state <> 'DISCONNECTED'
                         AND other.connected_at > worker.disconnected_at)))
  AND NOT EXISTS (SELECT 1 FROM task WHERE task.worker_id = worker.id AND task.state IN ('DISPATCHED', 'RUNNING'))
