-- Locks tasks in id order, as every batch does. Returns the moved tasks, without those that had left their state.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), input AS (
  SELECT id, from_state, to_state, terminal, reason, work, labels
  FROM unnest(CAST(:ids AS uuid[]), CAST(:from_states AS task_state[]), CAST(:to_states AS task_state[]),
              CAST(:terminals AS boolean[]), CAST(:reasons AS text[]), CAST(:works AS text[]), CAST(:labels AS text[]))
       AS i (id, from_state, to_state, terminal, reason, work, labels)
  ORDER BY id
), moved AS (
  UPDATE task
  SET state = input.to_state, reason = input.reason, state_since = now, not_before = NULL,
      ended_at = CASE WHEN terminal THEN now END
  FROM input, clock
  WHERE task.id = input.id AND task.state = input.from_state
  RETURNING task.id, input.from_state, input.to_state, input.reason, input.work, input.labels
), payloads AS (
  INSERT INTO task_payload (task_id, work, labels)
  SELECT id, CAST(work AS jsonb), CAST(labels AS jsonb)
  FROM moved
  WHERE work IS NOT NULL
  ON CONFLICT (task_id) DO UPDATE SET work = EXCLUDED.work, labels = EXCLUDED.labels
), histories AS (
  INSERT INTO history (task_id, from_state, to_state, reason, actor, at)
  SELECT id, from_state, to_state, reason, :actor, now
  FROM moved, clock
)
SELECT id FROM moved
