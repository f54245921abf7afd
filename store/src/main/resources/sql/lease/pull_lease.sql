-- Pulls times that lie too far ahead to the last legal ones: a job that a replica holds has been due. A living holder renews
-- long before its lease ends there.
UPDATE job_lease
SET next_due_at = least(next_due_at,
                        CASE WHEN holder IS NULL THEN now + :period_ms * interval '1 millisecond' ELSE now END),
    expires_at = CASE WHEN holder IS NOT NULL
                      THEN least(expires_at, now + ttl_ms * interval '1 millisecond') END,
    done_at = CASE WHEN done_at > now THEN now ELSE done_at END
FROM (SELECT belay_now() AS now) AS clock
WHERE name = :name
  AND (next_due_at > CASE WHEN holder IS NULL THEN now + :period_ms * interval '1 millisecond' ELSE now END
       OR expires_at > now + ttl_ms * interval '1 millisecond'
       OR done_at > now)
