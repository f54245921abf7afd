SELECT id, state, started_at IS NOT NULL AS ran
FROM task
WHERE run_id = :run
ORDER BY id
FOR UPDATE
