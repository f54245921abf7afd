SELECT state, count(*) AS tasks
FROM task
WHERE run_id = :run
GROUP BY state
ORDER BY state
