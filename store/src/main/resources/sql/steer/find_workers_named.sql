SELECT worker_id FROM worker_key WHERE name = :name
UNION
SELECT id FROM worker WHERE name = :name
ORDER BY worker_id
LIMIT :limit
