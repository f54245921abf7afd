-- Runs under the run's row lock. Without :marks no mark counts. Ends and returns only runs without open tasks, and without a mark that the plan has not seen: a
-- person may have given a task another end since. Each trigger that waits for the end of such a run gets a row to decide.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), input AS (
  SELECT id, from_state, to_state, reason
  FROM unnest(CAST(:ids AS uuid[]), CAST(:from_states AS run_state[]), CAST(:to_states AS run_state[]),
              CAST(:reasons AS text[]))
       AS i (id, from_state, to_state, reason)
), unseen AS MATERIALIZED (
  SELECT DISTINCT run_id FROM mark WHERE id <> ALL (CAST(:marks AS bigint[]))
), ended AS (
  UPDATE run
  SET state = input.to_state, reason = input.reason, started_at = coalesce(run.started_at, now), ended_at = now
  FROM input, clock
  WHERE run.id = input.id AND run.state = input.from_state
    AND NOT EXISTS (
      SELECT 1 FROM task
      WHERE task.run_id = run.id
        AND task.state IN ('WAITING', 'PENDING', 'APPROVAL_REQUIRED', 'SCHEDULED', 'DISPATCHED', 'RUNNING',
                           'DEFERRED', 'BLOCKED'))
    AND NOT EXISTS (SELECT FROM unseen WHERE unseen.run_id = run.id)
  RETURNING run.id, input.from_state, input.to_state, input.reason, run.tenant, run.workflow, run.generation,
            run.logical_date, run.depth
), chains AS (
  INSERT INTO chain_fire (trigger_id, upstream_run_id, generation, version_id, state, logical_date, depth, ended_at, outcome)
  SELECT version.trigger_id, ended.id, ended.generation, version.id, ended.to_state, ended.logical_date, ended.depth, now,
         'pending'
  FROM ended
  JOIN trigger_version version
    ON version.kind = 'workflow' AND version.source = ended.workflow AND version.until_at IS NULL
  JOIN trigger ON trigger.id = version.trigger_id AND trigger.tenant = ended.tenant
  CROSS JOIN clock
  ON CONFLICT DO NOTHING
), feeds AS (
  INSERT INTO feed (runs, run_states)
  SELECT array_agg(id), array_agg(to_state)
  FROM ended
  HAVING count(*) > 0
), histories AS (
  INSERT INTO run_history (run_id, from_state, to_state, reason, actor, at)
  SELECT id, from_state, to_state, reason, :actor, now
  FROM ended, clock
)
SELECT id, to_state FROM ended
