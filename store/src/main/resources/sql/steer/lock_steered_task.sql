SELECT id, run_id, name, state, generation, priority, dispatch_id, worker_id, abort_reason,
       started_at IS NOT NULL OR reason = 'skipped' OR reason LIKE 'skipped: %' AS settled,
       EXISTS (SELECT FROM task_payload WHERE task_id = task.id AND work ->> 'wait' IS NOT NULL) AS only_waits
FROM task
WHERE id = :id
FOR UPDATE
