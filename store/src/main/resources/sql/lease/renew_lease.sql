-- Changes no key column, so it does not wait for a batch of this holder.
UPDATE job_lease
SET renewed_at = now, expires_at = now + ttl_ms * interval '1 millisecond'
FROM (SELECT belay_now() AS now) AS clock
WHERE name = :name AND holder = :holder AND token = :token
RETURNING greatest(0, extract(epoch FROM now - coalesce(done_at, created_at))) AS since_done_seconds
