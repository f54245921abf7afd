-- Stores events whose key is new, with a row for each trigger that waits for them now.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), stored AS (
  INSERT INTO event (id, tenant, name, key, data, source, received_at, received_by, run_id, depth)
  SELECT i.id, i.tenant, i.name, i.key, CAST(i.data AS jsonb), i.source, clock.now, :actor, i.run_id,
         CASE WHEN i.run_id IS NULL THEN 0
              ELSE 1 + coalesce((SELECT run.depth FROM run WHERE run.id = i.run_id), 0)
         END
  FROM unnest(CAST(:ids AS uuid[]), CAST(:tenants AS text[]), CAST(:names AS text[]), CAST(:keys AS text[]),
              CAST(:data AS text[]), CAST(:sources AS text[]), CAST(:runs AS uuid[]))
       AS i (id, tenant, name, key, data, source, run_id),
       clock
  ORDER BY i.tenant, i.name, i.key, i.id
  ON CONFLICT (tenant, name, key) WHERE key IS NOT NULL DO NOTHING
  RETURNING id, tenant, name, received_at
), fires AS (
  INSERT INTO event_fire (trigger_id, event_id, version_id, received_at, outcome)
  SELECT version.trigger_id, stored.id, version.id, stored.received_at, 'pending'
  FROM stored
  JOIN trigger_version version
    ON version.kind = 'event' AND version.source = stored.name AND version.until_at IS NULL
  JOIN trigger ON trigger.id = version.trigger_id AND trigger.tenant = stored.tenant
)
SELECT id FROM stored
