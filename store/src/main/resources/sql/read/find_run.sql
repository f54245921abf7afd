SELECT r.id, r.tenant, r.workflow, w.version, r.state,
       -- The current reason to wait, which may differ from the first one.
       CASE WHEN r.state <> 'QUEUED' OR r.reason IS NULL THEN r.reason
            WHEN c.paused_at IS NOT NULL THEN 'paused'
            ELSE 'max_active'
       END AS reason,
       r.params, r.generation, r.logical_date, r.created_at, r.created_by, r.started_at, r.ended_at, r.cancel_requested_at,
       r.timeout_at, r.deadline_at, t.name AS trigger, r.backfill_id, r.upstream_run_id, r.event_id
FROM run r
JOIN workflow w ON w.id = r.workflow_id
LEFT JOIN workflow_control c ON c.tenant = r.tenant AND c.name = r.workflow
LEFT JOIN trigger t ON t.id = r.trigger_id
WHERE r.id = :id
