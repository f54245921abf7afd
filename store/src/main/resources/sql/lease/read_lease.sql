-- ahead: a time that lies further ahead than the rules allow. The clock stepped back, or the period became shorter.
SELECT next_due_at <= now AND (holder IS NULL OR expires_at <= now) AS free,
       next_due_at > CASE WHEN holder IS NULL THEN now + :period_ms * interval '1 millisecond' ELSE now END
         OR coalesce(expires_at > now + ttl_ms * interval '1 millisecond', false)
         OR coalesce(done_at > now, false) AS ahead,
       greatest(0, extract(epoch FROM greatest(next_due_at, expires_at) - now)) AS wait_seconds,
       greatest(0, extract(epoch FROM now - coalesce(done_at, created_at))) AS since_done_seconds
FROM job_lease CROSS JOIN (SELECT belay_now() AS now) AS clock
WHERE name = :name
