-- Like intake/insert_run, for many runs that a trigger causes.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), runs AS (
  INSERT INTO run (id, tenant, workflow_id, workflow, state, params, logical_date, created_at, created_by, counted, trigger_id,
                   backfill_id, upstream_run_id, event_id, depth, deadline_at)
  SELECT i.id, i.tenant, i.workflow_id, i.workflow, 'QUEUED', CAST(i.params AS jsonb), i.logical_date, clock.now, :actor, i.counted,
         i.trigger_id, i.backfill_id, i.upstream_run_id, i.event_id, i.depth,
         clock.now + CAST((SELECT w.spec #>> '{run,deadline}' FROM workflow w WHERE w.id = i.workflow_id) AS interval)
  FROM unnest(CAST(:ids AS uuid[]), CAST(:tenants AS text[]), CAST(:workflow_ids AS uuid[]), CAST(:workflows AS text[]),
              CAST(:params AS text[]), CAST(:logical_dates AS timestamptz[]), CAST(:counted AS boolean[]),
              CAST(:trigger_ids AS uuid[]), CAST(:backfill_ids AS uuid[]), CAST(:upstream_run_ids AS uuid[]),
              CAST(:event_ids AS uuid[]), CAST(:depths AS int[]))
       AS i (id, tenant, workflow_id, workflow, params, logical_date, counted, trigger_id, backfill_id, upstream_run_id, event_id,
             depth),
       clock
  WHERE NOT EXISTS (SELECT 1
                    FROM workflow_control c
                    WHERE c.tenant = i.tenant AND c.name = i.workflow AND c.deleted_at IS NOT NULL)
  RETURNING id, state, created_at
), feeds AS (
  INSERT INTO feed (runs, run_states)
  SELECT array_agg(id), array_agg(state)
  FROM runs
  HAVING count(*) > 0
), marks AS (
  INSERT INTO mark (run_id)
  SELECT id FROM runs ORDER BY id
), histories AS (
  INSERT INTO run_history (run_id, from_state, to_state, reason, actor, at)
  SELECT id, NULL, 'QUEUED', 'triggered', :actor, created_at
  FROM runs
)
SELECT id FROM runs
