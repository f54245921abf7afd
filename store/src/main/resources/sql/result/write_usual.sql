-- The usual results, a start or a successful end, need no decision. This statement writes them without reading the rows
-- first: each task must be DISPATCHED, or RUNNING if its start was reported before. It skips any other row, which
-- lock_tasks and write_results then handle under lock. A task in these states was claimed in its current generation:
-- only a claim leads there, and it sets the dispatch. The history is derived from what it writes. Locks tasks in id
-- order, as every batch does. Times are the worker's, converted to this database's clock and kept between the dispatch
-- and now.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), input AS MATERIALIZED (
  SELECT position, task_id, dispatch_id, worker_id, session_id, over, detail,
         CAST(CASE WHEN after_start THEN 'RUNNING' ELSE 'DISPATCHED' END AS task_state) AS from_state,
         least(now, to_timestamp(started_ms / 1000.0)) AS begun_at, least(now, to_timestamp(ended_ms / 1000.0)) AS over_at
  FROM clock, unnest(CAST(:task_ids AS uuid[]), CAST(:dispatch_ids AS uuid[]), CAST(:worker_ids AS uuid[]),
              CAST(:session_ids AS uuid[]), CAST(:after_starts AS boolean[]), CAST(:overs AS boolean[]),
              CAST(:started_ms AS bigint[]), CAST(:ended_ms AS bigint[]), CAST(:details AS text[])) WITH ORDINALITY
       AS i (task_id, dispatch_id, worker_id, session_id, after_start, over, started_ms, ended_ms, detail, position)
  ORDER BY task_id
), written AS (
  UPDATE task
  SET state = CASE WHEN over THEN CAST('SUCCEEDED' AS task_state) ELSE CAST('RUNNING' AS task_state) END,
      reason = CASE WHEN over THEN 'exit_code: 0' ELSE 'started' END, state_since = now, not_before = NULL,
      started_at = coalesce(task.started_at, greatest(task.dispatched_at, begun_at)),
      ended_at = CASE WHEN over THEN greatest(task.dispatched_at, task.started_at, begun_at, over_at) END,
      attempt_ended_at = CASE WHEN over THEN greatest(task.dispatched_at, task.started_at, begun_at, over_at) END,
      end_reason = CASE WHEN over THEN 'exit_code: 0' END, exit_code = CASE WHEN over THEN 0 END, detail = input.detail
  FROM input, clock
  WHERE task.id = input.task_id AND task.dispatch_id = input.dispatch_id AND task.worker_id = input.worker_id
    AND task.session_id = input.session_id AND task.state = input.from_state
  RETURNING input.position, task.id, task.run_id, task.state, task.queue_id, input.over
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(state)
  FROM written
  HAVING count(*) > 0
), marks AS (
  INSERT INTO mark (run_id)
  SELECT DISTINCT run_id
  FROM written
  WHERE over AND run_id IS NOT NULL
), topics AS MATERIALIZED (
  SELECT task_queue.id, task_queue.spec ->> 'topic' AS topic
  FROM (SELECT DISTINCT queue_id FROM written WHERE over) AS used
  JOIN task_queue ON task_queue.id = used.queue_id
)
SELECT position, over AND run_id IS NOT NULL AS marked, CASE WHEN over THEN topics.topic END AS topic
FROM written LEFT JOIN topics ON topics.id = written.queue_id
