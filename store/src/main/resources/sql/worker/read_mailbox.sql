-- Every active task of the worker, if the asking connection is the registered one. One row without a task means the
-- worker is registered and has nothing to do. Omits the work of tasks already assigned on this connection.
SELECT task.id, task.dispatch_id, task.session_id, task.state, task.fencing_token, task.run_id, task.name, task.tenant,
       task.abort_reason, task_payload.work, run.workflow
FROM worker
LEFT JOIN task ON task.worker_id = worker.id AND task.state IN ('DISPATCHED', 'RUNNING')
LEFT JOIN task_payload ON task_payload.task_id = task.id AND NOT task.dispatch_id = ANY(CAST(:assigned AS uuid[]))
LEFT JOIN run ON run.id = task.run_id
WHERE worker.id = :worker AND worker.session_id = :session AND worker.connection = :connection
ORDER BY task.priority DESC, task.id
