-- A task is settled when its own attempt or a person decided its end.
SELECT id, name, state, generation, started_at IS NOT NULL OR reason = 'skipped' OR reason LIKE 'skipped: %' AS settled
FROM task
WHERE run_id = :run
ORDER BY id
FOR UPDATE
