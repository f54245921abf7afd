-- Waits for a transaction that changes its items. Its cursor stays where it was.
UPDATE bulk_operation
SET state = :to, ended_at = belay_now(), reason = :reason
WHERE id = :id AND state = 'RUNNING'
