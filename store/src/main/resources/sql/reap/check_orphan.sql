SELECT NOT EXISTS (SELECT 1 FROM mark WHERE run_id = :run AND NOT postponed)
   AND NOT EXISTS (
     SELECT 1 FROM task
     WHERE run_id = :run
       AND (state IN ('PENDING', 'APPROVAL_REQUIRED', 'SCHEDULED', 'DISPATCHED', 'RUNNING', 'DEFERRED', 'BLOCKED')
            OR state_since > belay_now() - make_interval(secs => :orphan_seconds)))
