-- Locks tasks in id order, as every batch does.
SELECT input.dispatch_id, task.id, task.state, task.worker_id, task.session_id, task.error_count, task.lost_count,
       task.crash_count, task.unavailable_count, task.dispatch_failed_count, task.fencing_token AS attempt, task.abort_reason, task.abort_by, task.abort_note,
       task.attempt_ended_at IS NOT NULL AS attempt_ended,
       coalesce(task.dispatch_id = input.dispatch_id, false) AS is_current,
       (SELECT task_queue.spec ->> 'topic' FROM task_queue WHERE task_queue.id = task.queue_id) AS topic
FROM unnest(CAST(:tasks AS uuid[]), CAST(:dispatches AS uuid[])) AS input (task_id, dispatch_id)
JOIN task ON task.id = input.task_id
ORDER BY task.id
FOR UPDATE OF task
