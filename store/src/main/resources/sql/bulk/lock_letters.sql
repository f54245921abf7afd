-- After the locks of the tasks of its run. One that somebody retried meanwhile is compared again behind its lock.
SELECT t.id
FROM dead_letter t
WHERE t.id = ANY (CAST(:items AS uuid[])) AND
  --< bulk/match_letter
ORDER BY t.id
FOR UPDATE OF t
