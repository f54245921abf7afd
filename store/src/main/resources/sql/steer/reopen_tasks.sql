-- Under the locks of the tasks. Their attempts belong to the past: an outcome of an earlier generation ends nothing. The
-- usual end of a task that succeeded, which the history derived from its row, becomes a step. A plan sets the deadlines of
-- tasks of runs; a task without a run gets as much time as before. The next claim raises the fencing token. A task without a run that
-- ended before there were task queues gets one, and one with the key of a limit gets its own again, which retention may have deleted; the
-- plan gives it to tasks of runs. A dead letter of the generation that ended counts as retried.
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
), succeeded AS MATERIALIZED (
  SELECT task.id, task.dispatch_id, task.ended_at
  FROM input JOIN task ON task.id = input.id AND task.state = input.from_state
  WHERE task.state = 'SUCCEEDED' AND task.reason = 'exit_code: 0'
), keyed AS MATERIALIZED (
  SELECT input.id, payload.queue, sha256(convert_to(CAST(payload.queue AS text), 'UTF8')) AS hash
  FROM input JOIN task_payload AS payload ON payload.task_id = input.id
  WHERE payload.queue IS NOT NULL
), queues AS (
  INSERT INTO task_queue (hash, spec, used_at)
  SELECT DISTINCT ON (keyed.hash) keyed.hash, keyed.queue, now
  FROM keyed, clock
  ORDER BY keyed.hash
  ON CONFLICT (hash) DO UPDATE SET used_at = EXCLUDED.used_at
  RETURNING id, hash
), reopened AS (
  UPDATE task
  SET state = CAST(:to AS task_state), reason = :reason, generation = task.generation + 1,
      error_count = 0, lost_count = 0, crash_count = 0, unavailable_count = 0, dispatch_failed_count = 0, state_since = now,
      deadline_at = CASE WHEN task.run_id IS NULL
                         THEN now + (task.deadline_at
                                     - coalesce((SELECT max(step.at) FROM step
                                                 WHERE step.task_id = task.id
                                                   AND step.from_state IN ('SUCCEEDED', 'FAILED', 'TIMEOUT', 'CANCELLED', 'DENIED',
                                                                           'OUTPUT_QUARANTINED', 'SKIPPED', 'UPSTREAM_FAILED')
                                                   AND step.to_state IN ('WAITING', 'PENDING')),
                                                task.created_at)) END,
      not_before = CASE WHEN :to = 'PENDING' THEN now END,
      dispatch_id = NULL, worker_id = NULL, session_id = NULL, epoch = NULL, dispatched_at = NULL, started_at = NULL,
      attempt_ended_at = NULL, end_reason = NULL, exit_code = NULL, signal = NULL, detail = NULL, abort_reason = NULL,
      abort_at = NULL, abort_by = NULL, abort_note = NULL,
      late_outcome = NULL, output_lost = NULL, last_heard_at = NULL, ended_at = NULL,
      queue_id = CASE WHEN task.run_id IS NULL AND task.queue_id IS NULL
                      THEN queue_of_pool(task.tenant, NULL, task.pool)
                      ELSE coalesce((SELECT queues.id FROM keyed JOIN queues ON queues.hash = keyed.hash WHERE keyed.id = task.id),
                                    task.queue_id) END
  FROM input, clock
  WHERE task.id = input.id AND task.state = input.from_state AND task.ended_at IS NOT NULL
  RETURNING task.id, task.run_id, task.fencing_token, task.generation, task.state, input.from_state
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(state)
  FROM reopened
  HAVING count(*) > 0
), letters AS (
  UPDATE dead_letter
  SET retried_as = reopened.id, retried_at = now, retried_by = :actor
  FROM reopened, clock
  WHERE dead_letter.task_id = reopened.id AND dead_letter.generation = reopened.generation - 1
    AND dead_letter.retried_as IS NULL
)
INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, dispatch_id, at)
SELECT id, fencing_token, from_state, to_state, reason, actor, dispatch_id, at
FROM (SELECT reopened.id, reopened.fencing_token, 0 AS position, CAST('RUNNING' AS task_state) AS from_state,
             CAST('SUCCEEDED' AS task_state) AS to_state, 'exit_code: 0' AS reason, 'worker' AS actor, succeeded.dispatch_id,
             succeeded.ended_at AS at
      FROM reopened JOIN succeeded ON succeeded.id = reopened.id
      UNION ALL
      SELECT id, fencing_token, 1, from_state, state, :reason, :actor, NULL, now
      FROM reopened, clock) steps
ORDER BY id, position
