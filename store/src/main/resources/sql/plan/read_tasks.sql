-- The earliest failure gives the run its reason.
SELECT run_id, id, name, state, generation, deadline_at IS NOT NULL AS has_deadline,
       CASE WHEN state IN ('FAILED', 'TIMEOUT', 'CANCELLED', 'DENIED', 'OUTPUT_QUARANTINED') THEN reason END
         AS failed_because,
       CASE WHEN state IN ('FAILED', 'TIMEOUT', 'CANCELLED', 'DENIED', 'OUTPUT_QUARANTINED') THEN ended_at END
         AS failed_at
FROM task
WHERE run_id = ANY(CAST(:runs AS uuid[])) AND map_index = -1
