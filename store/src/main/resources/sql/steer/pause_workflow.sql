-- Keeps the first person who paused it.
INSERT INTO workflow_control (tenant, name, paused_at, paused_by)
SELECT :tenant, :name, belay_now(), :actor
WHERE EXISTS (SELECT 1 FROM workflow WHERE tenant = :tenant AND name = :name)
ON CONFLICT (tenant, name) DO UPDATE
SET paused_at = EXCLUDED.paused_at, paused_by = EXCLUDED.paused_by
WHERE workflow_control.paused_at IS NULL
