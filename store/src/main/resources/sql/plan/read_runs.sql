SELECT id, tenant, workflow_id, workflow, state, params, logical_date, created_at,
       cancel_requested_at IS NOT NULL AS cancel_requested
FROM run
WHERE id = ANY(CAST(:runs AS uuid[]))
ORDER BY id
