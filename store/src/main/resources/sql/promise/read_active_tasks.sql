SELECT t.name, t.state, w.name AS worker, CAST(extract(epoch FROM belay_now() - t.state_since) AS float8) AS since
FROM task t
LEFT JOIN worker w ON w.id = t.worker_id
WHERE t.run_id = :run AND t.state IN ('DISPATCHED', 'RUNNING')
ORDER BY t.state_since, t.id
LIMIT :limit
