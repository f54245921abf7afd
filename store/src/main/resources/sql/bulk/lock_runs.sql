-- After the locks of its tasks. A run that changed meanwhile is compared again behind its lock.
SELECT t.id
FROM run t
WHERE t.id = ANY (CAST(:items AS uuid[])) AND
  --< bulk/match_run
ORDER BY t.id
FOR UPDATE OF t
