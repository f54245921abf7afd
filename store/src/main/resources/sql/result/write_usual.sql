-- The usual results, a start or a successful end, need no decision. This statement writes them without reading the rows
-- first: each task must be DISPATCHED, or RUNNING if its start was reported before. It skips any other row, which
-- lock_tasks and write_results then handle under lock. A task in these states was claimed in its current generation:
-- only a claim leads there, and it sets the dispatch. Locks tasks in id order, as every batch does. Times are the
-- worker's, converted to this database's clock and kept between the dispatch and now.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), input AS MATERIALIZED (
  SELECT task_id, dispatch_id, worker_id, session_id, over, detail, over AND NOT after_start AS via_running,
         CAST(CASE WHEN after_start THEN 'RUNNING' ELSE 'DISPATCHED' END AS task_state) AS from_state,
         least(now, to_timestamp(started_ms / 1000.0)) AS begun_at, least(now, to_timestamp(ended_ms / 1000.0)) AS over_at
  FROM clock, unnest(CAST(:task_ids AS uuid[]), CAST(:dispatch_ids AS uuid[]), CAST(:worker_ids AS uuid[]),
              CAST(:session_ids AS uuid[]), CAST(:after_starts AS boolean[]), CAST(:overs AS boolean[]),
              CAST(:started_ms AS bigint[]), CAST(:ended_ms AS bigint[]), CAST(:details AS text[]))
       AS i (task_id, dispatch_id, worker_id, session_id, after_start, over, started_ms, ended_ms, detail)
  ORDER BY task_id
), written AS (
  UPDATE task
  SET state = CASE WHEN over THEN CAST('SUCCEEDED' AS task_state) ELSE CAST('RUNNING' AS task_state) END,
      reason = CASE WHEN over THEN 'exit_code: 0' ELSE 'started' END, state_since = now, not_before = NULL,
      started_at = coalesce(task.started_at, greatest(task.dispatched_at, begun_at)),
      ended_at = CASE WHEN over THEN greatest(task.dispatched_at, task.started_at, begun_at, over_at) END
  FROM input, clock
  WHERE task.id = input.task_id AND task.dispatch_id = input.dispatch_id AND task.worker_id = input.worker_id
    AND task.session_id = input.session_id AND task.state = input.from_state
  RETURNING task.id, task.run_id, task.state AS to_state, task.reason, task.started_at, task.ended_at AS over_at,
            input.dispatch_id, input.worker_id, input.session_id, input.from_state, input.over, input.via_running,
            input.detail
), attempts AS (
  UPDATE attempt
  SET started_at = written.started_at, ended_at = written.over_at,
      end_reason = CASE WHEN over THEN written.reason END,
      exit_code = CASE WHEN over THEN 0 END,
      detail = written.detail
  FROM written
  WHERE attempt.dispatch_id = written.dispatch_id AND attempt.ended_at IS NULL
), marks AS (
  INSERT INTO mark (run_id)
  SELECT DISTINCT run_id
  FROM written
  WHERE over AND run_id IS NOT NULL
), histories AS (
  --< result/insert_history
)
SELECT dispatch_id, worker_id, session_id, over AND run_id IS NOT NULL AS marked FROM written
