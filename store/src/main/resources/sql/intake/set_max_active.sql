-- The latest version's limit applies to the runs of all versions.
INSERT INTO workflow_control (tenant, name, max_active)
VALUES (:tenant, :name, CAST(CAST(:spec AS jsonb) #>> '{run,max_active}' AS int))
ON CONFLICT (tenant, name) DO UPDATE SET max_active = EXCLUDED.max_active
