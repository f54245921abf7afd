SELECT r.id, r.kind, r.task_id AS task, t.name AS task_name, coalesce(r.run_id, t.run_id) AS run,
       r.dispatch_id AS dispatch, r.worker_id AS worker, w.name AS worker_name, r.last_sign_at, r.detected_at,
       r.running_again_at, r.promised_ms,
       CAST(extract(epoch FROM r.detected_at - r.last_sign_at) * 1000 AS bigint) AS detected_ms,
       CAST(extract(epoch FROM r.running_again_at - r.last_sign_at) * 1000 AS bigint) AS running_again_ms,
       NOT r.closed AS open
FROM recovery r
LEFT JOIN task t ON t.id = r.task_id
LEFT JOIN worker w ON w.id = r.worker_id
WHERE true
  AND r.id < :cursor   --? cursor
ORDER BY r.id DESC
LIMIT :limit
