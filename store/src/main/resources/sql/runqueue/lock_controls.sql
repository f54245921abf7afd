-- Serializes starts and ends of runs with a pause, a resume, a new limit and the cancel of a backfill: the second sees the effect of the
-- first. A run of a backfill is compared again behind the lock, because its cancel does not change this row.
SELECT c.tenant, c.name, c.paused_at IS NOT NULL OR c.max_active IS NOT NULL OR changed.of_backfill AS limited
FROM workflow_control c
JOIN (SELECT tenant, workflow, bool_or(backfill_id IS NOT NULL) AS of_backfill
      FROM run
      WHERE id = ANY(CAST(:runs AS uuid[]))
      GROUP BY tenant, workflow) changed
  ON c.tenant = changed.tenant AND c.name = changed.workflow
ORDER BY c.tenant, c.name
FOR NO KEY UPDATE OF c
