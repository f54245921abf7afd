-- Until this transaction ends, no worker can record another sign of life. The caller compares the rows to find those
-- that gave one since its last read.
SELECT id, session_id, connection, heartbeat_number, state
FROM worker
WHERE id = ANY(CAST(:workers AS uuid[]))
ORDER BY id
FOR SHARE
