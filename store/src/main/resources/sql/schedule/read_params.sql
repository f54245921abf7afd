-- Workflows without their tasks, which may be large.
SELECT id, jsonb_build_object('tenant', tenant, 'name', name, 'params', coalesce(spec -> 'params', CAST('{}' AS jsonb)),
                              'tasks', CAST('[]' AS jsonb)) AS spec
FROM workflow
WHERE id = ANY (CAST(:ids AS uuid[]))
