SELECT octet_length(CAST(p.labels AS text)) + octet_length(CAST(p.work AS text)) AS bytes
FROM task_payload p
WHERE p.task_id = :id
