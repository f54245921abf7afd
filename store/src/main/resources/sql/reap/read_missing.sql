-- NOT IN, because a generic plan hashes a subquery.
SELECT DISTINCT worker_id
FROM task
WHERE state IN ('DISPATCHED', 'RUNNING') AND worker_id NOT IN (SELECT id FROM worker)
ORDER BY worker_id
