-- Locks tasks in id order, as every batch does. Also locks the attempts: an unlocked row is as old as the snapshot and
-- would hide an abort that committed while this statement waited.
SELECT attempt.dispatch_id, attempt.abort_reason, attempt.ended_at IS NOT NULL AS attempt_ended,
       task.id, task.run_id, task.state, task.worker_id, task.session_id, task.error_count, task.lost_count,
       task.crash_count,
       task.dispatch_id = attempt.dispatch_id AS is_current,
       task.generation = attempt.generation AS of_generation
FROM task JOIN attempt ON attempt.task_id = task.id
WHERE attempt.dispatch_id = ANY(CAST(:dispatches AS uuid[]))
ORDER BY task.id
FOR UPDATE OF task, attempt
