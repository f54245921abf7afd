SELECT tenant, name, max_tasks
FROM workflow_control
WHERE max_tasks IS NOT NULL
