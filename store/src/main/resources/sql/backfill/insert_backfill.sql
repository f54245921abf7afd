-- Inserts nothing when the workflow does not exist or is deleted.
INSERT INTO backfill (id, tenant, workflow, trigger_id, timing, calendar, from_at, to_at, forward, concurrency, existing, params, state,
                      next_at, total, created_at, created_by)
SELECT :id, c.tenant, c.name, CAST(:trigger_id AS uuid), CAST(:timing AS jsonb), CAST(:calendar AS jsonb),
       CAST(:from_at AS timestamptz), CAST(:to_at AS timestamptz), :forward, :concurrency, :existing, CAST(:params AS jsonb), 'RUNNING',
       CAST(:next_at AS timestamptz), :total, belay_now(), :actor
FROM workflow_control c
WHERE c.tenant = :tenant AND c.name = :workflow AND c.deleted_at IS NULL
