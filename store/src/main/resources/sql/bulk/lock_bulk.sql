SELECT id
FROM bulk_operation
WHERE id = :id AND state = 'RUNNING' AND cursor IS NOT DISTINCT FROM CAST(:cursor AS uuid)
FOR UPDATE
