SELECT id, run_id
FROM mark
ORDER BY id
LIMIT :max
