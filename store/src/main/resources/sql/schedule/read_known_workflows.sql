SELECT c.tenant, c.name
FROM workflow_control c
JOIN unnest(CAST(:tenants AS text[]), CAST(:names AS text[])) AS wanted (tenant, name)
  ON c.tenant = wanted.tenant AND c.name = wanted.name
WHERE c.deleted_at IS NULL
