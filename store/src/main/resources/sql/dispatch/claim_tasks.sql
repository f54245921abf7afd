-- Runs behind the epoch lock in the same round trip (EpochLock.behind), so it compares the epoch itself. Every
-- parameter has a type: otherwise pgjdbc might describe the statement and put a Sync between the lock and the claim.
-- The shared locks on the workers' rows, taken in id order, order this claim with the hello of a new session: either the hello sees
-- the claim, or the claim sees the new session and takes nothing for it. Locks tasks in id order, as every batch does. IS TRUE makes a
-- hashed lookup of what would be a nested loop. Comparing the state as text keeps the planner off a partial index on states: it finds
-- each row by id. A task that had an attempt gives it to past_attempt: a batch with such a task locks its rows first, to copy what they
-- hold now. A task that got an attempt since it was read, or waits in another task
-- queue by now, stays for the next tick.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), live AS MATERIALIZED (
  SELECT id, session_id
  FROM worker
  WHERE id = ANY (CAST(:live AS uuid[])) AND state = 'CONNECTED' AND trouble IS NULL AND set_aside_at IS NULL
    AND EXISTS (SELECT 1 FROM leadership WHERE epoch = :epoch)
  ORDER BY id
  FOR SHARE
), input AS MATERIALIZED (
  SELECT task_id, queue_id, dispatch_id, worker_id, session_id, ready_since, pool
  FROM unnest(CAST(:tasks AS uuid[]), CAST(:queues AS bigint[]), CAST(:dispatches AS uuid[]), CAST(:workers AS uuid[]),
              CAST(:sessions AS uuid[]), CAST(:ready_since AS float8[]), CAST(:pools AS text[]))
       AS i (task_id, queue_id, dispatch_id, worker_id, session_id, ready_since, pool)
  WHERE ((worker_id, session_id) IN (SELECT live.id, live.session_id FROM live)) IS TRUE
  ORDER BY task_id
), earlier AS MATERIALIZED (
  SELECT task.*
  FROM input JOIN task ON task.id = input.task_id
  WHERE CAST(:again AS boolean)
  ORDER BY task.id
  FOR UPDATE OF task
), claimed AS (
  UPDATE task
  SET state = 'DISPATCHED', reason = 'claimed', state_since = now, not_before = NULL, lease_ends_at = NULL,
      dispatch_id = input.dispatch_id, worker_id = input.worker_id, session_id = input.session_id, epoch = :epoch,
      dispatched_pool = input.pool,
      fencing_token = task.fencing_token + 1, dispatched_at = now, started_at = NULL, attempt_ended_at = NULL,
      end_reason = NULL, exit_code = NULL, signal = NULL, detail = NULL, abort_reason = NULL, late_outcome = NULL,
      output_lost = NULL, last_heard_at = NULL, abort_at = NULL, abort_by = NULL, abort_note = NULL
  FROM input LEFT JOIN earlier ON earlier.id = input.task_id, clock
  WHERE task.id = input.task_id AND CAST(task.state AS text) = 'SCHEDULED'
    AND task.queue_id = coalesce(input.queue_id, task.queue_id)
    AND (task.lease_ends_at IS NULL OR task.lease_ends_at <= least(now, to_timestamp(:sure)))
    AND (task.dispatch_id IS NULL OR task.dispatch_id = earlier.dispatch_id)
  RETURNING task.id, task.dispatch_id, task.fencing_token, task.worker_id, task.session_id, task.state,
            task.run_id, task.name, task.tenant, task.priority,
            CAST(extract(epoch FROM now) AS float8) - input.ready_since AS waited_seconds
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(state)
  FROM claimed
  HAVING count(*) > 0
), past AS (
  INSERT INTO past_attempt (task_id, number, generation, dispatch_id, worker_id, session_id, epoch, dispatched_at,
                            started_at, ended_at, end_reason, exit_code, signal, detail, abort_reason, late_outcome,
                            output_lost, last_heard_at, abort_at, abort_by, abort_note)
  SELECT earlier.id, earlier.fencing_token, earlier.generation, earlier.dispatch_id, earlier.worker_id, earlier.session_id,
         earlier.epoch, earlier.dispatched_at, earlier.started_at, earlier.attempt_ended_at, earlier.end_reason,
         earlier.exit_code, earlier.signal, earlier.detail, earlier.abort_reason, earlier.late_outcome, earlier.output_lost,
         earlier.last_heard_at, earlier.abort_at, earlier.abort_by, earlier.abort_note
  FROM earlier JOIN claimed USING (id)
  WHERE earlier.dispatch_id IS NOT NULL
)
SELECT claimed.id, claimed.dispatch_id, claimed.worker_id, claimed.session_id, claimed.state, claimed.fencing_token, claimed.run_id, claimed.name,
       claimed.tenant, NULL AS abort_reason, task_payload.work, run.workflow,
       claimed.waited_seconds
FROM claimed
JOIN task_payload ON task_payload.task_id = claimed.id
LEFT JOIN run ON run.id = claimed.run_id
ORDER BY claimed.priority DESC, claimed.id
