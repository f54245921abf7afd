-- Locks tasks in id order, as every batch does.
SELECT id, state
FROM task
WHERE id = ANY(CAST(:tasks AS uuid[]))
ORDER BY id
FOR UPDATE
