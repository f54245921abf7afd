SELECT id, run_id
FROM mark
WHERE run_id <> ALL(CAST(:except AS uuid[]))
ORDER BY id
LIMIT :max
