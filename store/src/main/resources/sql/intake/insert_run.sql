-- Inserts nothing when the workflow is deleted. A trigger and a delete at once need no lock: a run that this statement inserts
-- before it can see the delete was triggered before it, and finishes.
WITH runs AS (
  INSERT INTO run (id, tenant, workflow_id, workflow, state, params, logical_date, created_at, created_by,
                   deadline_at)
  SELECT :id, :tenant, :workflow_id, :workflow, 'QUEUED', CAST(:params AS jsonb), CAST(:logical_date AS timestamptz),
         CAST(:created_at AS timestamptz), :actor,
         CAST(:created_at AS timestamptz)
           + CAST((SELECT w.spec #>> '{run,deadline}' FROM workflow w WHERE w.id = :workflow_id) AS interval)
  WHERE NOT EXISTS (SELECT 1
                    FROM workflow_control
                    WHERE tenant = :tenant AND name = :workflow AND deleted_at IS NOT NULL)
  RETURNING id, state, created_at
), feeds AS (
  INSERT INTO feed (runs, run_states)
  SELECT array_agg(id), array_agg(state)
  FROM runs
  HAVING count(*) > 0
), marks AS (
  INSERT INTO mark (run_id)
  SELECT id FROM runs
)
INSERT INTO run_history (run_id, from_state, to_state, reason, actor, at)
SELECT id, NULL, 'QUEUED', 'triggered', :actor, created_at
FROM runs
