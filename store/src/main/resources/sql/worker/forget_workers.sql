-- Workers without tasks that have long been silent; sooner if another worker took their name, as after someone deleted
-- the state folder. A worker that returns joins again with its key.
DELETE FROM worker
WHERE (last_seen_at < belay_now() - make_interval(secs => :age_seconds)
       OR (state = 'DISCONNECTED' AND last_seen_at < belay_now() - make_interval(secs => :replaced_age_seconds)
           AND EXISTS (SELECT FROM worker AS other
                       WHERE other.name = worker.name AND other.id <> worker.id AND other.state <> 'DISCONNECTED'
                         AND other.connected_at > worker.disconnected_at)))
  AND NOT EXISTS (SELECT 1 FROM task WHERE task.worker_id = worker.id AND task.state IN ('DISPATCHED', 'RUNNING'))
