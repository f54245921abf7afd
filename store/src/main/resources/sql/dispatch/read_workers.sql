SELECT worker.id, worker.session_id, worker.pools, worker.slots, held.dispatches
FROM worker
LEFT JOIN (
  SELECT worker_id, array_agg(dispatch_id) AS dispatches
  FROM task
  WHERE state IN ('DISPATCHED', 'RUNNING')
  GROUP BY worker_id
) AS held ON held.worker_id = worker.id
WHERE worker.state = 'CONNECTED' AND worker.trouble IS NULL AND worker.set_aside_at IS NULL
  AND worker.last_seen_at > belay_now() - make_interval(secs => :silence_seconds)
ORDER BY worker.id
