-- A row for each tenant whose submits are counted, and for no other. A new one has not been counted, and its bucket is full.
WITH limited AS MATERIALIZED (
  SELECT name, submit_max
  FROM tenant
  WHERE max_waiting IS NOT NULL OR submit_max IS NOT NULL
), removed AS (
  DELETE FROM tenant_intake WHERE tenant NOT IN (SELECT name FROM limited)
)
INSERT INTO tenant_intake (tenant, waiting, counted_at, tokens, filled_at)
SELECT name, 0, to_timestamp(0), coalesce(submit_max, 0), belay_now()
FROM limited
ON CONFLICT (tenant) DO NOTHING
