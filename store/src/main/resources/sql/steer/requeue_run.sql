-- Runs under the lock of the run. The run waits for its turn like a new one, but its age puts it ahead of those. Its timeout counts
-- from its next start, and its deadline from now.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), requeued AS (
  UPDATE run
  SET state = 'QUEUED', reason = NULL, generation = run.generation + 1, started_at = NULL, ended_at = NULL,
      cancel_requested_at = NULL, cancel_requested_by = NULL, timeout_at = NULL, timed_out_at = NULL, deadline_alerted_at = NULL,
      deadline_at = now + CAST((SELECT w.spec #>> '{run,deadline}' FROM workflow w WHERE w.id = run.workflow_id) AS interval)
  FROM clock
  WHERE id = :run AND state = CAST(:from AS run_state) AND state IN ('SUCCEEDED', 'FAILED', 'CANCELLED')
  RETURNING id, state
), feeds AS (
  INSERT INTO feed (runs, run_states)
  SELECT array_agg(id), array_agg(state)
  FROM requeued
  HAVING count(*) > 0
), marks AS (
  INSERT INTO mark (run_id) SELECT id FROM requeued
)
INSERT INTO run_history (run_id, from_state, to_state, reason, actor, at)
SELECT id, CAST(:from AS run_state), 'QUEUED', :reason, :actor, now
FROM requeued, clock
