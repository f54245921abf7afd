-- Runs in the transaction of the ending. A run does not run again, so its row closes at once. All late recoveries of
-- one kind share one alert, which names the latest.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), recorded AS (
  INSERT INTO recovery (kind, task_id, run_id, dispatch_id, worker_id, last_sign_at, detected_at, promised_ms, closed)
  SELECT i.kind, i.task_id, i.run_id, i.dispatch_id, i.worker_id, now - i.since_ms * interval '1 millisecond', now,
         i.promised_ms, i.task_id IS NULL
  FROM unnest(CAST(:kinds AS text[]), CAST(:task_ids AS uuid[]), CAST(:run_ids AS uuid[]),
              CAST(:dispatch_ids AS uuid[]), CAST(:worker_ids AS uuid[]), CAST(:since_ms AS bigint[]),
              CAST(:promised_ms AS bigint[]))
       AS i (kind, task_id, run_id, dispatch_id, worker_id, since_ms, promised_ms), clock
  RETURNING kind, task_id, run_id, dispatch_id, worker_id, last_sign_at, promised_ms,
            CAST(extract(epoch FROM detected_at - last_sign_at) * 1000 AS bigint) AS detected_ms
), heard AS (
  -- Only attempts that Belay gave up: those it merely asked to end are not over. The next session's hello reveals a
  -- restart, so attempts of the old session were last heard of when that session was.
  UPDATE task
  SET last_heard_at = greatest(task.dispatched_at,
        CASE WHEN recorded.kind IN ('worker_restarted', 'session_over', 'machine_rebooted')
             THEN greatest(task.started_at, coalesce(worker.heard_before, recorded.last_sign_at))
             ELSE recorded.last_sign_at END)
  FROM recorded LEFT JOIN worker ON worker.id = recorded.worker_id
  WHERE task.id = recorded.task_id AND task.dispatch_id = recorded.dispatch_id AND task.attempt_ended_at IS NOT NULL
    AND task.state NOT IN ('DISPATCHED', 'RUNNING') AND task.exit_code IS NULL AND task.signal IS NULL
), late AS (
  SELECT DISTINCT ON (kind) kind, promised_ms, detected_ms, count(*) OVER (PARTITION BY kind) AS found,
         CASE WHEN task_id IS NULL THEN 'run ' || run_id ELSE 'task ' || task_id END AS thing
  FROM recorded
  WHERE detected_ms > promised_ms
  ORDER BY kind, detected_ms - promised_ms DESC
)
INSERT INTO alert (kind, detail, at)
SELECT 'recovery_late',
       format('%s was found after %s s, promised within %s s: %s%s', late.kind, round(detected_ms / 1000.0, 3),
              round(promised_ms / 1000.0, 3), thing, CASE WHEN found > 1 THEN ' and ' || found - 1 || ' more' END),
       now
FROM late, clock
