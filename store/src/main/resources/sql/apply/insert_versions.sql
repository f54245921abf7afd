INSERT INTO workflow (id, tenant, name, version, spec, source, spec_hash, task_count, created_at, created_by)
SELECT id, tenant, name, version, CAST(spec AS jsonb), source, decode(spec_hash, 'hex'), task_count, belay_now(), :actor
FROM unnest(CAST(:ids AS uuid[]), CAST(:tenants AS text[]), CAST(:names AS text[]), CAST(:versions AS int[]),
            CAST(:specs AS text[]), CAST(:sources AS text[]), CAST(:spec_hashes AS text[]), CAST(:task_counts AS int[]))
     AS added (id, tenant, name, version, spec, source, spec_hash, task_count)
