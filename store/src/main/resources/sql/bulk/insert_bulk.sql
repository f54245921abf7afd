-- Inserts nothing when too many are RUNNING.
INSERT INTO bulk_operation (id, tenant, kind, filter, priority, note, rate, preview, state, up_to, created_at, created_by)
SELECT :id, :tenant, :kind, CAST(:filter AS jsonb), CAST(:priority AS smallint), :note, CAST(:rate AS double precision),
       CAST(:preview AS jsonb), 'RUNNING',
       coalesce((SELECT id FROM task ORDER BY id DESC LIMIT 1), '00000000-0000-0000-0000-000000000000'), --? tasks
       coalesce((SELECT id FROM run ORDER BY id DESC LIMIT 1), '00000000-0000-0000-0000-000000000000'), --? runs
       coalesce((SELECT id FROM dead_letter ORDER BY id DESC LIMIT 1), '00000000-0000-0000-0000-000000000000'), --? letters
       belay_now(), :actor
WHERE (SELECT count(*) FROM bulk_operation WHERE state = 'RUNNING') < :running_max
