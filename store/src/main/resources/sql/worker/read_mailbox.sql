-- Every active task of the worker, as long as the asking connection is the registered one. One row without a
-- task says: registered, and nothing to do. What was assigned on this connection is not read again.
SELECT task.id, task.dispatch_id, task.session_id, task.state, task.fencing_token, task.run_id, task.name, task.tenant,
       attempt.abort_reason, task_payload.work, run.workflow
FROM worker
LEFT JOIN task ON task.worker_id = worker.id AND task.state IN ('DISPATCHED', 'RUNNING')
LEFT JOIN attempt ON attempt.dispatch_id = task.dispatch_id
LEFT JOIN task_payload ON task_payload.task_id = task.id AND NOT task.dispatch_id = ANY(CAST(:assigned AS uuid[]))
LEFT JOIN run ON run.id = task.run_id
WHERE worker.id = :worker AND worker.session_id = :session AND worker.connection = :connection
ORDER BY task.priority DESC, task.id
