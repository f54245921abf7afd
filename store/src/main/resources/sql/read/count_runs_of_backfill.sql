SELECT state, count(*) AS runs
FROM run
WHERE backfill_id = :backfill
GROUP BY state
