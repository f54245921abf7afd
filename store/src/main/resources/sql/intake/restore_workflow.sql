UPDATE workflow_control
SET deleted_at = NULL, deleted_by = NULL
WHERE tenant = :tenant AND name = :name AND deleted_at IS NOT NULL
