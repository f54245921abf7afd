-- Whether each of the reaper's statements could find rows: one query instead of a transaction for each statement.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
)
SELECT coalesce((SELECT min(deadline_at) FROM task
         WHERE deadline_at IS NOT NULL
           AND state IN ('WAITING', 'PENDING', 'APPROVAL_REQUIRED', 'SCHEDULED', 'DISPATCHED', 'RUNNING', 'DEFERRED', 'BLOCKED')
       ) <= now, false) AS deadline,
       EXISTS (SELECT FROM task WHERE state = 'PENDING'
         AND not_before <= now - make_interval(secs => :pending_seconds)
         AND state_since <= now - make_interval(secs => :pending_seconds)
       ) OR EXISTS (SELECT FROM task WHERE state = 'PENDING' AND not_before IS NULL
         AND state_since <= now - make_interval(secs => :pending_seconds)
       ) AS pending,
       EXISTS (SELECT FROM task
         WHERE state = 'APPROVAL_REQUIRED' OR (state = 'DEFERRED' AND not_before IS NULL)
       ) AS wait
FROM clock
