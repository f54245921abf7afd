-- The first one who paused stays.
UPDATE workflow_control
SET paused_at = belay_now(), paused_by = :actor
WHERE tenant = :tenant AND name = :name AND paused_at IS NULL
