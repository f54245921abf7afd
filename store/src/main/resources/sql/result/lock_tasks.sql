-- In the order of their ids, as every batch locks them. The attempt is locked too: what is read of a row that
-- is not locked stays as old as the snapshot, and an abort that was committed while this waited would be missed.
SELECT attempt.dispatch_id, attempt.abort_reason, attempt.ended_at IS NOT NULL AS attempt_ended,
       task.id, task.run_id, task.state, task.worker_id, task.session_id, task.error_count, task.lost_count,
       task.crash_count,
       task.dispatch_id = attempt.dispatch_id AS is_current,
       task.generation = attempt.generation AS of_generation
FROM task JOIN attempt ON attempt.task_id = task.id
WHERE attempt.dispatch_id = ANY(CAST(:dispatches AS uuid[]))
ORDER BY task.id
FOR UPDATE OF task, attempt
