-- Starts of runs take the same lock (runqueue/lock_controls).
SELECT c.name
FROM workflow_control c
WHERE (c.tenant, c.name) = (SELECT b.tenant, b.workflow FROM backfill b WHERE b.id = :id)
FOR NO KEY UPDATE OF c
