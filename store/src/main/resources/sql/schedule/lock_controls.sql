-- Serializes the count of open runs with the starts and ends of runs (runqueue/lock_controls).
SELECT c.tenant, c.name
FROM workflow_control c
JOIN unnest(CAST(:tenants AS text[]), CAST(:workflows AS text[])) AS wanted (tenant, workflow)
  ON c.tenant = wanted.tenant AND c.name = wanted.workflow
ORDER BY c.tenant, c.name
FOR NO KEY UPDATE OF c
