SELECT t.id, CAST(CAST(t.xmin AS text) AS bigint) AS row_version
FROM unnest(CAST(:runs AS uuid[])) AS removed (id)
JOIN task t ON t.run_id = removed.id AND t.run_id IS NOT NULL
WHERE t.ended_at < :before
LIMIT :limit
