-- Keeps workers from recording a sign of life during this transaction. A changed row means that one came before.
SELECT id, session_id, connection, heartbeat_number, state
FROM worker
WHERE id = ANY(CAST(:workers AS uuid[]))
ORDER BY id
FOR SHARE
