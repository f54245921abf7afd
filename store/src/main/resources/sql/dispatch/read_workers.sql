-- The workers that may get work, and then what each worker holds, also those that are away.
SELECT worker.id, worker.session_id, worker.pools, worker.slots, CAST(NULL AS uuid[]) AS dispatches, CAST(NULL AS int[]) AS queues
FROM worker
WHERE worker.state = 'CONNECTED' AND worker.trouble IS NULL AND worker.set_aside_at IS NULL
  AND worker.last_seen_at > belay_now() - make_interval(secs => :silence_seconds)
UNION ALL
SELECT task.worker_id, NULL, NULL, NULL, array_agg(task.dispatch_id), array_agg(task.queue_id)
FROM task
WHERE task.state IN ('DISPATCHED', 'RUNNING')
GROUP BY task.worker_id
ORDER BY 1
