-- The listening time excludes outages, in which no replica could write.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
)
SELECT task.id, task.dispatch_id, task.worker_id, task.session_id, task.state,
       CAST(greatest(0, extract(epoch FROM now - task.dispatched_at)) AS float8) AS age,
       CAST(greatest(0, extract(epoch FROM now - task.dispatched_at) - missed.seconds) AS float8) AS listened,
       coalesce(task.dispatch_id = ANY(worker.preparing), false) AS preparing,
       coalesce(task.session_id = worker.session_id, false) AS of_current_session
FROM clock
CROSS JOIN task
LEFT JOIN worker ON worker.id = task.worker_id
LEFT JOIN LATERAL (
  SELECT coalesce(sum(extract(epoch FROM ended_at - greatest(began_at, task.dispatched_at))), 0) AS seconds
  FROM outage
  WHERE ended_at > task.dispatched_at
) AS missed ON true
WHERE task.state IN ('DISPATCHED', 'RUNNING')
  AND task.worker_id = ANY(CAST(:workers AS uuid[]))
  AND task.id > CAST(:after AS uuid)
ORDER BY task.id
LIMIT :max
