SELECT r.id, CAST(CAST(r.xmin AS text) AS bigint) AS row_version, coalesce(r.ended_at < :before, false) AS due
FROM run r
WHERE r.id > :after AND r.id < :below
ORDER BY r.id
LIMIT :limit
