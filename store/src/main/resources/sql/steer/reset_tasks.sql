-- Under the locks of the tasks. The run's start sets new deadlines. The next claim raises the fencing token.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), input AS (
  SELECT id, from_state
  FROM unnest(CAST(:ids AS uuid[]), CAST(:from_states AS task_state[])) AS i (id, from_state)
), reset AS (
  UPDATE task
  SET state = 'WAITING', reason = 'retried', generation = task.generation + 1,
      error_count = 0, lost_count = 0, crash_count = 0, deadline_at = NULL, state_since = now, not_before = NULL,
      dispatched_at = NULL, started_at = NULL, ended_at = NULL
  FROM input, clock
  WHERE task.id = input.id AND task.state = input.from_state
  RETURNING task.id, input.from_state
)
INSERT INTO history (task_id, from_state, to_state, reason, actor, at)
SELECT id, from_state, 'WAITING', 'retried', :actor, now
FROM reset, clock
