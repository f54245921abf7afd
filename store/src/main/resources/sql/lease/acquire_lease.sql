-- FOR UPDATE, although the UPDATE would lock the row itself: that lock is weaker and would not wait for a batch of the last
-- holder (fence_lease).
WITH free AS MATERIALIZED (
  SELECT name, holder
  FROM job_lease
  WHERE name = :name
    AND next_due_at <= belay_now()
    AND (holder IS NULL OR expires_at <= belay_now())
  FOR UPDATE
)
UPDATE job_lease
SET token = job_lease.token + 1, holder = :holder, acquired_at = clock.now, renewed_at = clock.now,
    expires_at = clock.now + :ttl_ms * interval '1 millisecond', ttl_ms = :ttl_ms
FROM free CROSS JOIN (SELECT belay_now() AS now) AS clock
WHERE job_lease.name = free.name
RETURNING job_lease.token, free.holder AS past_holder
