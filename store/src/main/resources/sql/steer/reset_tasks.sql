-- Under the locks of the tasks. Their attempts belong to the past: an outcome of an earlier generation ends nothing. The
-- run's start sets new deadlines. The next claim raises the fencing token.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), input AS MATERIALIZED (
  SELECT id, from_state
  FROM unnest(CAST(:ids AS uuid[]), CAST(:from_states AS task_state[])) AS i (id, from_state)
), past AS (
  INSERT INTO past_attempt (task_id, number, generation, dispatch_id, worker_id, session_id, epoch, dispatched_at,
                            started_at, ended_at, end_reason, exit_code, signal, detail, abort_reason, late_outcome,
                            output_lost, last_heard_at, abort_at, abort_by, abort_note)
  SELECT task.id, task.fencing_token, task.generation, task.dispatch_id, task.worker_id, task.session_id, task.epoch,
         task.dispatched_at, task.started_at, task.attempt_ended_at, task.end_reason, task.exit_code, task.signal,
         task.detail, task.abort_reason, task.late_outcome, task.output_lost, task.last_heard_at, task.abort_at, task.abort_by,
         task.abort_note
  FROM input JOIN task ON task.id = input.id AND task.state = input.from_state
  WHERE task.dispatch_id IS NOT NULL
), reset AS (
  UPDATE task
  SET state = 'WAITING', reason = 'retried', generation = task.generation + 1,
      error_count = 0, lost_count = 0, crash_count = 0, unavailable_count = 0, deadline_at = NULL, state_since = now,
      not_before = NULL,
      dispatch_id = NULL, worker_id = NULL, session_id = NULL, epoch = NULL, dispatched_at = NULL, started_at = NULL,
      attempt_ended_at = NULL, end_reason = NULL, exit_code = NULL, signal = NULL, detail = NULL, abort_reason = NULL,
      abort_at = NULL, abort_by = NULL, abort_note = NULL,
      late_outcome = NULL, output_lost = NULL, last_heard_at = NULL, ended_at = NULL
  FROM input, clock
  WHERE task.id = input.id AND task.state = input.from_state
  RETURNING task.id, task.run_id, task.fencing_token, task.state, input.from_state
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(state)
  FROM reset
  HAVING count(*) > 0
)
INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
SELECT id, fencing_token, from_state, 'WAITING', 'retried', :actor, now
FROM reset, clock
