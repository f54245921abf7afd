SELECT id, CAST(spec AS text) AS spec
FROM task_queue
WHERE id = ANY (CAST(:ids AS bigint[]))
