-- Locks tasks in id order, as every batch does. Returns the moved tasks, without those that had left their state, or that a
-- person gave another generation since the plan was made. Generation 0 is any. A task that becomes ready gets its task queue.
-- Moves nothing, and returns null, if one of those was not used lately: retention may have deleted it, or be about to.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), unknown AS MATERIALIZED (
  SELECT wanted.id
  FROM (SELECT DISTINCT unnest(CAST(:queues AS bigint[])) AS id) AS wanted, clock
  WHERE wanted.id IS NOT NULL
    AND (SELECT used_at > clock.now - interval '60 hours' FROM task_queue WHERE task_queue.id = wanted.id) IS NOT TRUE
), input AS (
  SELECT id, generation, from_state, to_state, terminal, reason, work, labels, queue_id, after_ms, due_at
  FROM unnest(CAST(:ids AS uuid[]), CAST(:generations AS int[]), CAST(:from_states AS task_state[]), CAST(:to_states AS task_state[]),
              CAST(:terminals AS boolean[]), CAST(:reasons AS text[]), CAST(:works AS text[]), CAST(:labels AS text[]),
              CAST(:queues AS bigint[]), CAST(:after_ms AS bigint[]), CAST(:due_ats AS timestamptz[]))
       AS i (id, generation, from_state, to_state, terminal, reason, work, labels, queue_id, after_ms, due_at)
  WHERE NOT EXISTS (SELECT FROM unknown)
  ORDER BY id
), moved AS (
  UPDATE task
  SET state = input.to_state, reason = input.reason, state_since = now,
      not_before = coalesce(input.due_at, now + input.after_ms * interval '1 millisecond'),
      ended_at = CASE WHEN terminal THEN now END, queue_id = coalesce(input.queue_id, task.queue_id)
  FROM input, clock
  WHERE task.id = input.id AND task.state = input.from_state AND input.generation IN (0, task.generation)
  RETURNING task.id, task.run_id, task.fencing_token, input.from_state, input.to_state, input.reason, input.work, input.labels
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(to_state)
  FROM moved
  HAVING count(*) > 0
), payloads AS (
  INSERT INTO task_payload (task_id, work, labels)
  SELECT id, CAST(work AS json), CAST(labels AS json)
  FROM moved
  WHERE work IS NOT NULL
  ON CONFLICT (task_id) DO UPDATE SET work = EXCLUDED.work, labels = EXCLUDED.labels
), steps AS (
  INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
  SELECT id, fencing_token, from_state, to_state, reason, :actor, now
  FROM moved, clock
)
SELECT id FROM moved
UNION ALL
SELECT NULL FROM unknown
