UPDATE workflow_control
SET paused_at = NULL, paused_by = NULL
WHERE tenant = :tenant AND name = :name AND paused_at IS NOT NULL
