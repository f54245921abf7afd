SELECT r.id, r.tenant, r.workflow, w.version, r.state,
       -- The current reason to wait, which may differ from the first one.
       CASE WHEN r.state <> 'QUEUED' OR r.reason IS NULL THEN r.reason
            WHEN c.paused_at IS NOT NULL THEN 'paused'
            ELSE 'max_active'
       END AS reason,
       -- Lists omit large params. The first size is free to read, the second is exact.
       CASE WHEN pg_column_size(r.params) <= 4096
            THEN CASE WHEN octet_length(CAST(r.params AS text)) <= 4096 THEN r.params END
       END AS params,
       r.generation, r.logical_date, r.created_at, r.created_by, r.started_at, r.ended_at, r.cancel_requested_at,
       r.timeout_at, r.deadline_at, t.name AS trigger, r.backfill_id, r.upstream_run_id, r.event_id
FROM (
  -- What an index gives in order. The limit bounds how many of these a page looks at; it stops earlier when it is full.
  SELECT run.*
  FROM run
  WHERE run.tenant = :tenant
    AND run.id < :cursor                                      --? cursor
    AND run.workflow = :workflow                              --? workflow
    AND run.state = ANY (CAST(:open_states AS run_state[]))   --? open_states
  ORDER BY run.id DESC
  LIMIT :scan
) AS r
JOIN workflow w ON w.id = r.workflow_id
LEFT JOIN workflow_control c ON c.tenant = r.tenant AND c.name = r.workflow
LEFT JOIN trigger t ON t.id = r.trigger_id
WHERE true
  AND r.state = ANY (CAST(:states AS run_state[]))   --? states
ORDER BY r.id DESC
LIMIT :limit
