-- Waits for a concurrent submit with the same key, and locks the row of a key that was given away before. Every submit takes the keys in
-- the same order, so two of them cannot deadlock. A key whose task is not the wanted one has, or had, another holder.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), wanted AS (
  SELECT tenant, key, task_id, scope, time_ms
  FROM unnest(CAST(:tenants AS text[]), CAST(:keys AS text[]), CAST(:tasks AS uuid[]), CAST(:scopes AS text[]), CAST(:times_ms AS bigint[]))
       AS w (tenant, key, task_id, scope, time_ms)
)
INSERT INTO unique_task AS u (tenant, key, task_id, scope, until_at)
SELECT tenant, key, task_id, scope, now + time_ms * interval '1 millisecond'
FROM wanted, clock
ORDER BY tenant, key
ON CONFLICT (tenant, key) DO UPDATE
SET key = u.key
RETURNING u.tenant, u.key, u.task_id, u.scope, u.until_at, (SELECT now FROM clock) AS now
