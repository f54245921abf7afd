SELECT w.id, w.name, w.state, w.pools, w.slots,
       (SELECT count(*) FROM task t WHERE t.worker_id = w.id AND t.state IN ('DISPATCHED', 'RUNNING')) AS active,
       w.labels, w.version, w.platform, w.session_id AS session, w.replica, w.started_at, w.connected_at,
       w.last_seen_at, w.disconnected_at, w.trouble
FROM worker w
WHERE true
  AND w.id < :cursor   --? cursor
ORDER BY w.id DESC
LIMIT :limit
