SELECT e.id, e.tenant, e.name, e.key, e.source, e.received_at, e.received_by, e.run_id, e.depth
FROM event e
WHERE e.tenant = :tenant
  AND e.name = :name   --? name
  AND e.key = :key   --? key
  AND e.id < :cursor   --? cursor
ORDER BY e.id DESC
LIMIT :limit
