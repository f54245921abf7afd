-- Locks tasks in id order, as every batch does. Looks at the state, the task queue and the time again behind the lock: somebody may have claimed the task, or moved it, and it may
-- wait again. Comparing the state as text keeps the planner off a partial index.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), hopeless AS MATERIALIZED (
  SELECT queue_id, reason, since, clock.now - make_interval(secs => patience) AS waiting_since
  FROM clock,
       unnest(CAST(:queues AS bigint[]), CAST(:reasons AS text[]), CAST(:since AS timestamptz[]), CAST(:patience AS float8[]))
         AS i (queue_id, reason, since, patience)
), over AS MATERIALIZED (
  SELECT waiting.id, hopeless.queue_id, hopeless.reason, hopeless.waiting_since
  FROM hopeless
  CROSS JOIN LATERAL (
    SELECT task.id
    FROM task
    WHERE task.state = 'SCHEDULED' AND task.queue_id = hopeless.queue_id AND task.state_since <= hopeless.waiting_since
    LIMIT :max
  ) AS waiting
  WHERE hopeless.since <= hopeless.waiting_since
  LIMIT :max
), locked AS MATERIALIZED (
  SELECT task.id, over.queue_id, over.reason, over.waiting_since
  FROM task JOIN over USING (id)
  ORDER BY task.id
  FOR UPDATE OF task
), ended AS (
  UPDATE task
  SET state = 'FAILED', reason = locked.reason, state_since = now, not_before = NULL, ended_at = now
  FROM locked, clock
  WHERE task.id = locked.id AND CAST(task.state AS text) = 'SCHEDULED'
    AND task.queue_id = locked.queue_id
    AND task.state_since <= locked.waiting_since
  RETURNING task.id, task.run_id, task.fencing_token, task.queue_id, task.state, task.reason
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
  SELECT id, fencing_token, 'SCHEDULED', state, reason, :actor, now
  FROM ended, clock
)
SELECT id, run_id, queue_id FROM ended
