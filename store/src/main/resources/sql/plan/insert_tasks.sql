-- Inserts the tasks of starting runs. A run that started before already has them, and nothing happens. Stores nothing if a task queue was
-- not used lately: retention may have deleted it, or be about to. Returns how many were stored, or null then.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), unknown AS MATERIALIZED (
  SELECT wanted.id
  FROM (SELECT DISTINCT unnest(CAST(:queues AS bigint[])) AS id) AS wanted, clock
  WHERE wanted.id IS NOT NULL
    AND (SELECT used_at > clock.now - interval '60 hours' FROM task_queue WHERE task_queue.id = wanted.id) IS NOT TRUE
), input AS (
  SELECT id, run_id, tenant, name, state, terminal, priority, pool, reason, work, labels, strict, deadline_ms, queue_id,
         after_ms, due_at
  FROM unnest(CAST(:ids AS uuid[]), CAST(:run_ids AS uuid[]), CAST(:tenants AS text[]), CAST(:names AS text[]),
              CAST(:states AS task_state[]), CAST(:terminals AS boolean[]), CAST(:priorities AS int[]),
              CAST(:pools AS text[]), CAST(:reasons AS text[]), CAST(:works AS text[]), CAST(:labels AS text[]),
              CAST(:stricts AS boolean[]), CAST(:deadline_ms AS bigint[]), CAST(:queues AS bigint[]), CAST(:after_ms AS bigint[]),
              CAST(:due_ats AS timestamptz[]))
       AS i (id, run_id, tenant, name, state, terminal, priority, pool, reason, work, labels, strict, deadline_ms,
             queue_id, after_ms, due_at)
  WHERE NOT EXISTS (SELECT FROM unknown)
), created AS (
  INSERT INTO task (id, tenant, run_id, name, state, priority, pool, reason, strict, deadline_at, not_before,
                    state_since, created_at, ended_at, queue_id)
  SELECT id, tenant, run_id, name, state, priority, pool, reason, strict,
         CASE WHEN deadline_ms IS NOT NULL
              THEN coalesce((SELECT started_at FROM run WHERE run.id = input.run_id), now)
                   + deadline_ms * interval '1 millisecond' END,
         coalesce(due_at, now + after_ms * interval '1 millisecond'),
         now, now, CASE WHEN terminal THEN now END, queue_id
  FROM input, clock
  ON CONFLICT (run_id, name, map_index) WHERE run_id IS NOT NULL DO NOTHING
  RETURNING id, run_id, state, reason
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(state)
  FROM created
  HAVING count(*) > 0
), payloads AS (
  INSERT INTO task_payload (task_id, work, labels)
  SELECT id, CAST(work AS json), CAST(labels AS json)
  FROM input
  -- IS TRUE makes this a hashed lookup. As a join it would be a nested loop, which is all that the engine's connections do: 10,000
  -- tasks would take 100,000,000 steps.
  WHERE work IS NOT NULL AND (id IN (SELECT created.id FROM created)) IS TRUE
), steps AS (
  INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
  SELECT id, 0, NULL, state, reason, :actor, now
  FROM created, clock
)
SELECT CASE WHEN NOT EXISTS (SELECT FROM unknown) THEN (SELECT count(*) FROM created) END
