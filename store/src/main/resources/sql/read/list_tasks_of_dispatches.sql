SELECT id
FROM task
WHERE state IN ('DISPATCHED', 'RUNNING') AND dispatch_id = ANY (CAST(:dispatches AS uuid[]))
ORDER BY id
