-- The workflows of these tenants that the set does not name.
SELECT c.tenant, c.name, latest.version
FROM workflow_control c
JOIN LATERAL (SELECT w.version
              FROM workflow w
              WHERE w.tenant = c.tenant AND w.name = c.name
              ORDER BY w.version DESC
              LIMIT 1) AS latest ON true
WHERE c.tenant = ANY (CAST(:tenants AS text[]))
  AND c.deleted_at IS NULL
  AND c.paused_at IS NULL   --? pause
  AND NOT EXISTS (SELECT 1
                  FROM unnest(CAST(:tenants AS text[]), CAST(:names AS text[])) AS wanted (tenant, name)
                  WHERE wanted.tenant = c.tenant AND wanted.name = c.name)
ORDER BY c.tenant, c.name
