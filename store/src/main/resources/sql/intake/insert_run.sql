WITH runs AS (
  INSERT INTO run (id, tenant, workflow_id, workflow, state, params, logical_date, created_at, created_by)
  VALUES (:id, :tenant, :workflow_id, :workflow, 'QUEUED', CAST(:params AS jsonb), :created_at, :created_at, :actor)
  RETURNING id, state
), feeds AS (
  INSERT INTO feed (runs, run_states)
  SELECT array_agg(id), array_agg(state)
  FROM runs
  HAVING count(*) > 0
), marks AS (
  INSERT INTO mark (run_id) VALUES (:id)
)
INSERT INTO run_history (run_id, from_state, to_state, reason, actor, at)
VALUES (:id, NULL, 'QUEUED', 'triggered', :actor, :created_at)
