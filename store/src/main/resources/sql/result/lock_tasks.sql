-- In the order of their ids, as every batch locks them.
SELECT attempt.dispatch_id, attempt.abort_reason, attempt.ended_at IS NOT NULL AS attempt_ended,
       task.id, task.run_id, task.state, task.worker_id, task.session_id, task.error_count, task.lost_count,
       task.dispatch_id = attempt.dispatch_id AS is_current
FROM attempt JOIN task ON task.id = attempt.task_id
WHERE attempt.dispatch_id = ANY(CAST(:dispatches AS uuid[]))
ORDER BY task.id
FOR UPDATE OF task
