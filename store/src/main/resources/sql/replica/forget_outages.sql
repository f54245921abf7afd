-- Twice the age of any silence that outages still affect (reap/read_signs).
DELETE FROM outage
WHERE ended_at < belay_now() - 2 * make_interval(secs => :age_seconds)
