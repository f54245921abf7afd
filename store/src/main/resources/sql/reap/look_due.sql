-- Whether each of the reaper's statements could find rows: one query instead of a transaction for each statement. Each part asks for
-- the first row in the order of its index: EXISTS would let older versions of PostgreSQL read the whole table.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now, belay_now() - make_interval(secs => :pending_seconds) AS since
)
SELECT coalesce((SELECT min(deadline_at) FROM task
         WHERE deadline_at IS NOT NULL
           AND state IN ('WAITING', 'PENDING', 'APPROVAL_REQUIRED', 'SCHEDULED', 'DISPATCHED', 'RUNNING', 'DEFERRED', 'BLOCKED')
       ) <= now, false) AS deadline,
       (SELECT id FROM task WHERE state = 'PENDING' AND not_before <= since AND state_since <= since
        ORDER BY not_before LIMIT 1
       ) IS NOT NULL
       OR (SELECT id FROM task WHERE state = 'PENDING' AND not_before IS NULL AND state_since <= since
        ORDER BY not_before LIMIT 1
       ) IS NOT NULL AS pending,
       (SELECT id FROM task WHERE state = 'APPROVAL_REQUIRED' OR (state = 'DEFERRED' AND not_before IS NULL)
        ORDER BY state_since LIMIT 1
       ) IS NOT NULL AS wait
FROM clock
