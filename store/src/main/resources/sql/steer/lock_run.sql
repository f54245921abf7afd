SELECT state
FROM run
WHERE id = :run
FOR UPDATE
