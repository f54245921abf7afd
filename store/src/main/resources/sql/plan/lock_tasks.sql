-- In the order of their ids, as every batch locks them.
SELECT id, state
FROM task
WHERE id = ANY(CAST(:tasks AS uuid[]))
ORDER BY id
FOR UPDATE
