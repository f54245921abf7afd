-- Under the locks of the rows.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
)
UPDATE unique_task u
SET task_id = w.task_id, scope = w.scope, until_at = now + w.time_ms * interval '1 millisecond'
FROM unnest(CAST(:tenants AS text[]), CAST(:keys AS text[]), CAST(:tasks AS uuid[]), CAST(:scopes AS text[]), CAST(:times_ms AS bigint[]))
     AS w (tenant, key, task_id, scope, time_ms), clock
WHERE u.tenant = w.tenant AND u.key = w.key
