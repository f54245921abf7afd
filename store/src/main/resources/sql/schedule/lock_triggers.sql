-- The live versions of the triggers of these workflows.
SELECT v.id
FROM unnest(CAST(:tenants AS text[]), CAST(:workflows AS text[])) AS wanted (tenant, workflow)
JOIN trigger t ON t.tenant = wanted.tenant AND t.workflow = wanted.workflow
JOIN trigger_version v ON v.trigger_id = t.id AND v.until_at IS NULL
ORDER BY v.id
FOR UPDATE OF v
