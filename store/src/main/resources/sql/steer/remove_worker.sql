-- Only a silent worker: the reaper gives up its tasks.
DELETE FROM worker
WHERE id = :worker
  AND (state = 'DISCONNECTED' OR last_seen_at <= belay_now() - make_interval(secs => :silence_seconds))
