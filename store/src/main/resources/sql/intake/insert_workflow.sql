-- Inserts nothing when the latest version has the same spec. Two writers of the next version collide on its unique
-- number; the loser looks again.
INSERT INTO workflow (id, tenant, name, version, spec, source, spec_hash, task_count, created_at, created_by)
SELECT :id, :tenant, :name, coalesce(latest.version, 0) + 1, CAST(:spec AS jsonb), :source, :spec_hash, :task_count,
       belay_now(), :actor
FROM (SELECT 1) AS one
LEFT JOIN (SELECT version, spec_hash
           FROM workflow
           WHERE tenant = :tenant AND name = :name
           ORDER BY version DESC
           LIMIT 1) AS latest ON true
WHERE latest.spec_hash IS DISTINCT FROM :spec_hash
RETURNING version
