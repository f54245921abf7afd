-- Looks at the places once more: a holder may have ended without the knowledge of the leader, and then the task shall start. Locks tasks in
-- id order, as every batch does, and looks at the state again behind the lock: somebody may have ended the task, or moved it. Comparing the
-- state as text keeps the planner off a partial index. A task that waits for the end of a lease, or for a time, did not ask for a place yet.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), holding AS MATERIALIZED (
  SELECT queue_id, count(*) AS tasks
  FROM task
  WHERE state IN ('DISPATCHED', 'RUNNING') AND queue_id IN (SELECT unnest(CAST(:holders AS bigint[])))
  GROUP BY queue_id
), full_queue AS MATERIALIZED (
  SELECT wanted.queue_id
  FROM unnest(CAST(:queues AS bigint[]), CAST(:limits AS int[])) AS wanted (queue_id, places)
  WHERE wanted.places <= (SELECT sum(holding.tasks)
                          FROM unnest(CAST(:of AS bigint[]), CAST(:holders AS bigint[])) AS i (queue_id, holder)
                          JOIN holding ON holding.queue_id = i.holder
                          WHERE i.queue_id = wanted.queue_id)
), waiting AS MATERIALIZED (
  SELECT found.id, full_queue.queue_id
  FROM clock, full_queue
  CROSS JOIN LATERAL (
    SELECT task.id
    FROM task
    WHERE task.state = 'SCHEDULED' AND task.queue_id = full_queue.queue_id
      AND (task.not_before IS NULL OR task.not_before <= clock.now)
      AND (task.lease_ends_at IS NULL OR task.lease_ends_at <= clock.now)
    LIMIT :max
  ) AS found
  LIMIT :max
), locked AS MATERIALIZED (
  SELECT task.id, waiting.queue_id
  FROM task JOIN waiting USING (id)
  ORDER BY task.id
  FOR UPDATE OF task
), ended AS (
  UPDATE task
  SET state = 'CANCELLED', reason = :reason, state_since = now, not_before = NULL, ended_at = now
  FROM locked, clock
  WHERE task.id = locked.id AND CAST(task.state AS text) = 'SCHEDULED'
    AND task.queue_id = locked.queue_id
  RETURNING task.id, task.run_id, task.fencing_token, task.queue_id, task.state
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(state)
  FROM ended
  HAVING count(*) > 0
), marks AS (
  INSERT INTO mark (run_id)
  SELECT DISTINCT run_id FROM ended WHERE run_id IS NOT NULL
), steps AS (
  INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
  SELECT id, fencing_token, 'SCHEDULED', state, :reason, :actor, now
  FROM ended, clock
)
SELECT full_queue.queue_id, ended.id, ended.run_id
FROM full_queue LEFT JOIN ended ON ended.queue_id = full_queue.queue_id
