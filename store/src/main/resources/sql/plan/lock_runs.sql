SELECT id
FROM run
WHERE id = ANY(CAST(:runs AS uuid[]))
ORDER BY id
FOR UPDATE
