-- A task that changed meanwhile is compared again behind its lock.
SELECT t.id
FROM task t
WHERE t.id = ANY (CAST(:items AS uuid[])) AND
  --< bulk/match_task
ORDER BY t.id
FOR UPDATE OF t
