SELECT r.id, r.tenant, r.workflow, w.version, r.state, r.reason, r.params, r.created_at, r.created_by, r.started_at,
       r.ended_at, r.cancel_requested_at
FROM run r
JOIN workflow w ON w.id = r.workflow_id
WHERE r.id = :id
