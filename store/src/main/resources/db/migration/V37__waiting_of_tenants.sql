-- The count of a tenant's waiting tasks starts from the task queues in which tasks wait. For those that wait for a time, and to see
-- whether a task queue is in use:
CREATE INDEX task_parked ON task (tenant, queue_id) WHERE state IN ('PENDING', 'APPROVAL_REQUIRED', 'DEFERRED', 'BLOCKED');
DROP INDEX task_queue_tenant;
