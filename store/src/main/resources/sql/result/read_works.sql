SELECT task_id, work
FROM task_payload
WHERE task_id = ANY(CAST(:tasks AS uuid[]))
