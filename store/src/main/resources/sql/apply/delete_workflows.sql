WITH locked AS MATERIALIZED (
  SELECT c.tenant, c.name
  FROM workflow_control c
  JOIN unnest(CAST(:tenants AS text[]), CAST(:names AS text[])) AS pruned (tenant, name)
    ON c.tenant = pruned.tenant AND c.name = pruned.name
  ORDER BY c.tenant, c.name
  FOR NO KEY UPDATE OF c
)
UPDATE workflow_control c
SET deleted_at = belay_now(), deleted_by = :actor
FROM locked
WHERE c.tenant = locked.tenant AND c.name = locked.name AND c.deleted_at IS NULL
