-- Until this transaction is over none of them gives another sign; whoever has given one since is told by the difference.
SELECT id, session_id, connection, heartbeat_number, state
FROM worker
WHERE id = ANY(CAST(:workers AS uuid[]))
ORDER BY id
FOR SHARE
