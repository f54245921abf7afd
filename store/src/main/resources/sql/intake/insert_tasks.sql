WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), fresh AS (
  SELECT id, tenant, name, priority, pool, work, labels, strict, deadline_ms, state, reason
  FROM unnest(CAST(:ids AS uuid[]), CAST(:tenants AS text[]), CAST(:names AS text[]), CAST(:priorities AS int[]),
              CAST(:pools AS text[]), CAST(:works AS text[]), CAST(:labels AS text[]), CAST(:stricts AS boolean[]),
              CAST(:deadline_ms AS bigint[]), CAST(:states AS task_state[]), CAST(:reasons AS text[]))
       AS t (id, tenant, name, priority, pool, work, labels, strict, deadline_ms, state, reason)
), tasks AS (
  INSERT INTO task (id, tenant, name, state, priority, pool, reason, strict, deadline_at, state_since, created_at)
  SELECT id, tenant, name, state, priority, pool, reason, strict,
         now + deadline_ms * interval '1 millisecond', now, now
  FROM fresh, clock
), payloads AS (
  INSERT INTO task_payload (task_id, work, labels)
  SELECT id, CAST(work AS jsonb), CAST(labels AS jsonb)
  FROM fresh
)
INSERT INTO history (task_id, from_state, to_state, reason, actor, at)
SELECT id, NULL, state, reason, :actor, now
FROM fresh, clock
