SELECT r.tenant, r.workflow, r.id
FROM unnest(CAST(:tenants AS text[]), CAST(:workflows AS text[])) AS wanted (tenant, workflow)
JOIN run r ON r.tenant = wanted.tenant AND r.workflow = wanted.workflow
WHERE r.state IN ('QUEUED', 'RUNNING') AND r.counted AND r.cancel_requested_at IS NULL
ORDER BY r.id
