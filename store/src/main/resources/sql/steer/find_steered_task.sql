SELECT id, run_id, name, state, generation, priority, dispatch_id, worker_id, abort_reason,
       started_at IS NOT NULL OR reason = 'skipped' OR reason LIKE 'skipped: %' AS settled
FROM task
WHERE id = :id
