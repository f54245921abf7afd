-- Runs behind the epoch lock in the same round trip (EpochLock.behind), so it compares the epoch itself. Every
-- parameter has a type: otherwise pgjdbc might describe the statement and put a Sync between the lock and the claim.
-- The shared lock on the worker's row orders this claim with the hello of a new session: either the hello sees the
-- claim, or the claim sees the new session and takes nothing. Locks tasks in id order, as every batch does. Comparing
-- the state as text keeps the planner off a partial index on states: it finds each row by id.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), live AS MATERIALIZED (
  SELECT id, session_id
  FROM worker
  WHERE id = :worker AND session_id = :session AND state = 'CONNECTED' AND trouble IS NULL
    AND EXISTS (SELECT 1 FROM leadership WHERE epoch = :epoch)
  FOR SHARE
), claimed AS (
  UPDATE task
  SET state = 'DISPATCHED', reason = 'claimed', state_since = now, not_before = NULL, lease_ends_at = NULL,
      dispatch_id = input.dispatch_id, worker_id = live.id, session_id = live.session_id,
      fencing_token = task.fencing_token + 1, dispatched_at = now, started_at = NULL
  FROM (SELECT task_id, dispatch_id, ready_since
        FROM unnest(CAST(:tasks AS uuid[]), CAST(:dispatches AS uuid[]), CAST(:ready_since AS float8[]))
             AS i (task_id, dispatch_id, ready_since)
        ORDER BY task_id) AS input,
       live, clock
  WHERE task.id = input.task_id AND CAST(task.state AS text) = 'SCHEDULED'
    AND (task.lease_ends_at IS NULL OR task.lease_ends_at <= least(now, to_timestamp(:sure)))
  RETURNING task.id, task.dispatch_id, task.fencing_token, task.generation, task.worker_id, task.session_id, task.state,
            task.run_id, task.name, task.tenant, task.priority,
            CAST(extract(epoch FROM now) AS float8) - input.ready_since AS waited_seconds
), attempts AS (
  INSERT INTO attempt (dispatch_id, task_id, number, generation, worker_id, session_id, epoch, dispatched_at)
  SELECT dispatch_id, id, fencing_token, generation, worker_id, session_id, :epoch, now
  FROM claimed, clock
), histories AS (
  INSERT INTO history (task_id, from_state, to_state, reason, actor, dispatch_id, at)
  SELECT id, 'SCHEDULED', 'DISPATCHED', 'claimed', 'dispatcher', dispatch_id, now
  FROM claimed, clock
)
SELECT claimed.id, claimed.dispatch_id, claimed.session_id, claimed.state, claimed.fencing_token, claimed.run_id, claimed.name,
       claimed.tenant, NULL AS abort_reason, task_payload.work, run.workflow,
       claimed.waited_seconds
FROM claimed
JOIN task_payload ON task_payload.task_id = claimed.id
LEFT JOIN run ON run.id = claimed.run_id
ORDER BY claimed.priority DESC, claimed.id
