SELECT task.id, task.dispatch_id, task.worker_id, task.session_id, task.state,
       CAST(greatest(0, extract(epoch FROM belay_now() - task.queued_at)) AS float8) AS age,
       coalesce(task.dispatch_id = ANY(worker.preparing), false) AS preparing,
       coalesce(task.session_id = worker.session_id, false) AS of_current_session
FROM task
LEFT JOIN worker ON worker.id = task.worker_id
WHERE task.state IN ('DISPATCHED', 'RUNNING')
  AND task.worker_id = ANY(CAST(:workers AS uuid[]))
  AND task.id > CAST(:after AS uuid)
ORDER BY task.id
LIMIT :max
