SELECT w.id, w.tenant, w.name, w.version, w.task_count, w.created_at, w.created_by
FROM workflow w
WHERE w.tenant = :tenant
  AND w.name = :name
  AND w.version < :cursor   --? cursor
ORDER BY w.version DESC
LIMIT :limit
