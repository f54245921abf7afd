UPDATE bulk_operation
SET state = 'DONE', ended_at = belay_now()
WHERE id = :id AND state = 'RUNNING' AND cursor IS NOT DISTINCT FROM CAST(:cursor AS uuid)
