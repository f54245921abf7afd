-- Stores nothing when guarded, and a tenant's submits are counted: IntakeLimits goes first then. Stores nothing if a task queue was not
-- used lately: retention may have deleted it, or be about to. Returns how many were stored.
-- Who submitted a task that is eligible at once is in its row; the history is derived from that. A delay counts from now.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), unknown AS MATERIALIZED (
  SELECT wanted.id
  FROM unnest(CAST(:used_queues AS bigint[])) AS wanted (id), clock
  WHERE (SELECT used_at > clock.now - interval '60 hours' FROM task_queue WHERE task_queue.id = wanted.id) IS NOT TRUE
), fresh AS (
  SELECT id, tenant, name, priority, pool, work, labels, strict, deadline_ms, state, reason, queue_id, keyed, after_ms,
         due_at
  FROM unnest(CAST(:ids AS uuid[]), CAST(:tenants AS text[]), CAST(:names AS text[]), CAST(:priorities AS int[]),
              CAST(:pools AS text[]), CAST(:works AS text[]), CAST(:labels AS text[]), CAST(:stricts AS boolean[]),
              CAST(:deadline_ms AS bigint[]), CAST(:states AS task_state[]), CAST(:reasons AS text[]),
              CAST(:queues AS bigint[]), CAST(:keyed AS text[]), CAST(:after_ms AS bigint[]), CAST(:due_ats AS timestamptz[]))
       AS t (id, tenant, name, priority, pool, work, labels, strict, deadline_ms, state, reason, queue_id, keyed,
             after_ms, due_at)
  WHERE NOT EXISTS (SELECT FROM unknown)
    AND NOT EXISTS (SELECT FROM tenant_intake WHERE tenant = ANY (CAST(:named_tenants AS text[])))   --? guarded
), tasks AS (
  INSERT INTO task (id, tenant, name, state, priority, pool, reason, strict, deadline_at, not_before, state_since,
                    created_at, created_by, queue_id)
  SELECT id, tenant, name, state, priority, pool, reason, strict,
         now + deadline_ms * interval '1 millisecond',
         coalesce(due_at, now + after_ms * interval '1 millisecond'), now, now,
         CASE WHEN state = 'SCHEDULED' AND reason = 'submitted' THEN :actor END, queue_id
  FROM fresh, clock
  RETURNING id, run_id, state
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(state)
  FROM tasks
  HAVING count(*) > 0
), payloads AS (
  INSERT INTO task_payload (task_id, work, labels, queue)
  SELECT id, CAST(work AS json), CAST(labels AS json), CAST(keyed AS json)
  FROM fresh
), steps AS (
  INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
  SELECT id, 0, NULL, state, reason, :actor, now
  FROM fresh, clock
  WHERE NOT (state = 'SCHEDULED' AND reason = 'submitted')
)
SELECT count(*) FROM tasks
