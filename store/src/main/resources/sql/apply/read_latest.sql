-- The latest versions of the named workflows; none for a name that is not stored.
SELECT wanted.tenant, wanted.name, latest.id, latest.version, latest.spec_hash, c.deleted_at IS NOT NULL AS deleted
FROM unnest(CAST(:tenants AS text[]), CAST(:names AS text[])) AS wanted (tenant, name)
JOIN LATERAL (SELECT w.id, w.version, w.spec_hash
              FROM workflow w
              WHERE w.tenant = wanted.tenant AND w.name = wanted.name
              ORDER BY w.version DESC
              LIMIT 1) AS latest ON true
LEFT JOIN workflow_control c ON c.tenant = wanted.tenant AND c.name = wanted.name
