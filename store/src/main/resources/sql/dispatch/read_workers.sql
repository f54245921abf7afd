SELECT worker.id, worker.session_id, worker.pools, worker.slots, coalesce(held.active, 0) AS active
FROM worker
LEFT JOIN (
  SELECT worker_id, count(*) AS active
  FROM task
  WHERE state IN ('DISPATCHED', 'RUNNING')
  GROUP BY worker_id
) AS held ON held.worker_id = worker.id
WHERE worker.state = 'CONNECTED' AND worker.trouble IS NULL
  AND worker.last_seen_at > belay_now() - make_interval(secs => :silence_seconds)
ORDER BY worker.id
