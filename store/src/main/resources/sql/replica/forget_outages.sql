-- Twice as old as anything that is still counted by them (reap/read_signs).
DELETE FROM outage
WHERE ended_at < belay_now() - 2 * make_interval(secs => :age_seconds)
