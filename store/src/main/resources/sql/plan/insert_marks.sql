INSERT INTO mark (run_id)
SELECT DISTINCT run_id
FROM unnest(CAST(:runs AS uuid[])) AS i (run_id)
