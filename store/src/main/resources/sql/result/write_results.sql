-- One write per dispatch. from_state is the locked state. A dispatch that finished before its start was written passes
-- through RUNNING in the same statement. started_ms and ended_ms are the worker's times, converted to this database's
-- clock and kept between the dispatch and now. An unknown time is now. The first end of an attempt stays. The history
-- derives a start and the usual end; any other end is a step. The plan looks at the run of a task that was asked to end: it
-- may have been cancelled meanwhile, and the task may wait again.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), input AS (
  SELECT task_id, dispatch_id, session_id, from_state, to_state, terminal, over, via_running, reason, wait_ms,
         error_more, lost_more, crash_more, unavailable_more, dispatch_failed_more, may_run_on_ms, exit_code, signal, detail, asked_by,
         CASE WHEN started_ms IS NOT NULL OR to_state = 'RUNNING'
              THEN least(now, to_timestamp(started_ms / 1000.0)) END AS begun_at,
         least(now, to_timestamp(ended_ms / 1000.0)) AS over_at
  FROM clock, unnest(CAST(:task_ids AS uuid[]), CAST(:dispatch_ids AS uuid[]), CAST(:session_ids AS uuid[]),
              CAST(:from_states AS task_state[]), CAST(:to_states AS task_state[]), CAST(:terminals AS boolean[]),
              CAST(:overs AS boolean[]), CAST(:via_runnings AS boolean[]), CAST(:started_ms AS bigint[]), CAST(:ended_ms AS bigint[]),
              CAST(:reasons AS text[]), CAST(:wait_ms AS bigint[]), CAST(:error_mores AS int[]),
              CAST(:lost_mores AS int[]), CAST(:crash_mores AS int[]), CAST(:unavailable_mores AS int[]),
              CAST(:dispatch_failed_mores AS int[]), CAST(:may_run_on_ms AS bigint[]), CAST(:exit_codes AS int[]), CAST(:signals AS int[]), CAST(:details AS text[]),
              CAST(:asked_bys AS text[]))
       AS i (task_id, dispatch_id, session_id, from_state, to_state, terminal, over, via_running, started_ms, ended_ms, reason, wait_ms,
             error_more, lost_more, crash_more, unavailable_more, dispatch_failed_more, may_run_on_ms, exit_code, signal, detail, asked_by)
), written AS (
  UPDATE task
  SET state = input.to_state, reason = input.reason, state_since = now,
      not_before = now + input.wait_ms * interval '1 millisecond',
      error_count = task.error_count + error_more, lost_count = task.lost_count + lost_more,
      crash_count = task.crash_count + crash_more, unavailable_count = task.unavailable_count + unavailable_more,
      dispatch_failed_count = task.dispatch_failed_count + dispatch_failed_more,
      lease_ends_at = coalesce(now + input.may_run_on_ms * interval '1 millisecond', task.lease_ends_at),
      started_at = CASE WHEN via_running OR input.to_state = 'RUNNING'
                        THEN greatest(task.dispatched_at, begun_at)
                        ELSE task.started_at END,
      ended_at = CASE WHEN terminal THEN greatest(task.dispatched_at, task.started_at, begun_at, over_at) END,
      attempt_ended_at = CASE WHEN over
                              THEN coalesce(task.attempt_ended_at, greatest(task.dispatched_at, task.started_at, begun_at, over_at)) END,
      end_reason = CASE WHEN over THEN coalesce(task.end_reason, input.reason) END,
      exit_code = CASE WHEN task.attempt_ended_at IS NULL THEN input.exit_code ELSE task.exit_code END,
      signal = CASE WHEN task.attempt_ended_at IS NULL THEN input.signal ELSE task.signal END,
      detail = CASE WHEN task.attempt_ended_at IS NULL THEN input.detail ELSE task.detail END
  FROM input, clock
  WHERE task.id = input.task_id AND task.dispatch_id = input.dispatch_id AND task.session_id = input.session_id
    AND task.state = input.from_state
  RETURNING task.id, task.run_id, task.fencing_token, input.dispatch_id, input.from_state, input.to_state, input.terminal,
            input.over, input.via_running, input.reason, input.asked_by,
            input.terminal OR (input.over AND task.abort_reason IS NOT NULL) AS changes_run,
            greatest(task.dispatched_at, task.started_at, begun_at, over_at) AS over_at
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(to_state)
  FROM written
  HAVING count(*) > 0
), marks AS (
  INSERT INTO mark (run_id)
  SELECT DISTINCT run_id
  FROM written
  WHERE changes_run AND run_id IS NOT NULL
), steps AS (
  INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, dispatch_id, at)
  SELECT id, fencing_token, CASE WHEN via_running THEN CAST('RUNNING' AS task_state) ELSE from_state END, to_state,
         reason, coalesce(asked_by, :actor), dispatch_id, over_at
  FROM written
  WHERE over AND NOT (to_state = 'SUCCEEDED' AND reason = 'exit_code: 0')
  ORDER BY id
)
SELECT id, changes_run AND run_id IS NOT NULL AS marked FROM written
