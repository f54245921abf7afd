SELECT tenant, name, max_active, paused_at, paused_by
FROM workflow_control
WHERE tenant = :tenant AND name = :name
