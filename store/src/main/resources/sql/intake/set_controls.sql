-- For these latest versions: their limits apply to the runs of all versions, and their workflows are no longer deleted.
INSERT INTO workflow_control (tenant, name, max_active, overlap)
SELECT w.tenant, w.name, CAST(w.spec #>> '{run,max_active}' AS int), upper(w.spec #>> '{run,overlap}')
FROM workflow w
WHERE w.id = ANY (CAST(:ids AS uuid[]))
ORDER BY w.tenant, w.name
ON CONFLICT (tenant, name) DO UPDATE
SET max_active = EXCLUDED.max_active, overlap = EXCLUDED.overlap, deleted_at = NULL, deleted_by = NULL
