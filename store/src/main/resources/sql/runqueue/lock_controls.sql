-- Serializes starts and ends of runs with a pause, a resume and a new limit: the second sees the effect of the first.
SELECT c.tenant, c.name, c.paused_at IS NOT NULL OR c.max_active IS NOT NULL AS limited
FROM workflow_control c
JOIN (SELECT DISTINCT tenant, workflow FROM run WHERE id = ANY(CAST(:runs AS uuid[]))) changed
  ON c.tenant = changed.tenant AND c.name = changed.workflow
ORDER BY c.tenant, c.name
FOR NO KEY UPDATE OF c
