-- For these latest versions: their limits apply to the runs of all versions, and their workflows are no longer deleted. Counts one
-- when a limit of tasks changed, which the leader must know.
WITH latest AS MATERIALIZED (
  SELECT w.tenant, w.name, CAST(w.spec #>> '{run,max_active}' AS int) AS max_active,
         CAST(w.spec #>> '{run,max_tasks}' AS int) AS max_tasks, upper(w.spec #>> '{run,overlap}') AS overlap
  FROM workflow w
  WHERE w.id = ANY (CAST(:ids AS uuid[]))
  ORDER BY w.tenant, w.name
), changed AS MATERIALIZED (
  SELECT
  FROM latest LEFT JOIN workflow_control c ON c.tenant = latest.tenant AND c.name = latest.name
  WHERE latest.max_tasks IS DISTINCT FROM c.max_tasks
), written AS (
  INSERT INTO workflow_control (tenant, name, max_active, max_tasks, overlap)
  SELECT tenant, name, max_active, max_tasks, overlap
  FROM latest
  ON CONFLICT (tenant, name) DO UPDATE
  SET max_active = EXCLUDED.max_active, max_tasks = EXCLUDED.max_tasks, overlap = EXCLUDED.overlap, deleted_at = NULL,
      deleted_by = NULL
)
UPDATE routing_version
SET version = version + 1
WHERE EXISTS (SELECT FROM changed)
