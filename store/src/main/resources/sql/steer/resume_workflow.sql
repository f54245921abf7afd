WITH paused AS MATERIALIZED (
  SELECT c.tenant, c.name, c.paused_at
  FROM workflow_control c
  WHERE c.tenant = :tenant AND c.name = :name AND c.paused_at IS NOT NULL
  FOR NO KEY UPDATE OF c
)
UPDATE workflow_control c
SET paused_at = NULL, paused_by = NULL
FROM paused
WHERE c.tenant = paused.tenant AND c.name = paused.name AND c.paused_at IS NOT NULL
RETURNING paused.paused_at
