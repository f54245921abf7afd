-- A new version with the content of an earlier one. Inserts nothing when the latest version has that content.
INSERT INTO workflow (id, tenant, name, version, spec, source, spec_hash, task_count, created_at, created_by)
SELECT :id, earlier.tenant, earlier.name, latest.version + 1, earlier.spec, earlier.source, earlier.spec_hash,
       earlier.task_count, belay_now(), :actor
FROM workflow earlier
JOIN LATERAL (SELECT version, spec_hash
              FROM workflow
              WHERE tenant = :tenant AND name = :name
              ORDER BY version DESC
              LIMIT 1) AS latest ON latest.spec_hash <> earlier.spec_hash
WHERE earlier.tenant = :tenant AND earlier.name = :name AND earlier.version = :version
RETURNING version
