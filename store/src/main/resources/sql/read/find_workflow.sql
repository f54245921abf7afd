SELECT w.id, w.tenant, w.name, w.version, w.task_count, w.created_at, w.created_by, w.spec, w.source
FROM workflow w
WHERE w.tenant = :tenant
  AND w.name = :name
  AND w.version = :version   --? version
ORDER BY w.version DESC
LIMIT 1
