SELECT state, CASE WHEN cancel_requested_at IS NOT NULL THEN 'cancelled' WHEN timed_out_at IS NOT NULL THEN 'run_timeout' END AS ending
FROM run
WHERE id = :run
FOR UPDATE
