SELECT id, tenant, workflow_id, workflow, state, params, logical_date, created_at,
       CASE WHEN cancel_requested_at IS NOT NULL THEN 'cancelled' WHEN timed_out_at IS NOT NULL THEN 'run_timeout' END AS ending
FROM run
WHERE id = ANY(CAST(:runs AS uuid[]))
ORDER BY id
