-- Only one that nobody hears: its tasks are given up for it.
DELETE FROM worker
WHERE id = :worker
  AND (state = 'DISCONNECTED' OR last_seen_at <= belay_now() - make_interval(secs => :silence_seconds))
