WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), started AS (
  UPDATE run
  SET state = 'RUNNING', reason = NULL, started_at = now, timeout_at = now + input.timeout_ms * interval '1 millisecond'
  FROM unnest(CAST(:runs AS uuid[]), CAST(:timeout_ms AS bigint[])) AS input (id, timeout_ms), clock
  WHERE run.id = input.id AND run.state = 'QUEUED'
  RETURNING run.id, run.state
), feeds AS (
  INSERT INTO feed (runs, run_states)
  SELECT array_agg(id), array_agg(state)
  FROM started
  HAVING count(*) > 0
)
INSERT INTO run_history (run_id, from_state, to_state, reason, actor, at)
SELECT id, 'QUEUED', 'RUNNING', 'started', :actor, now
FROM started, clock
