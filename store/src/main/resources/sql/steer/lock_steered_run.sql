SELECT state, cancel_requested_at IS NOT NULL AS cancel_requested
FROM run
WHERE id = :run
FOR UPDATE
