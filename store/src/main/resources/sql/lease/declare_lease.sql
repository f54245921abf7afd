INSERT INTO job_lease (name, token, ttl_ms, next_due_at, failures, created_at)
SELECT :name, 0, :ttl_ms, now, 0, now
FROM (SELECT belay_now() AS now) AS clock
ON CONFLICT (name) DO NOTHING
