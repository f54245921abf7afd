-- For losses that a worker reports: the time since its hello, and the time since the last sign of the dispatch. Belay
-- gives up a dispatch at the second heartbeat that lacks it, so the last one that may have listed it is two older.
SELECT task.dispatch_id, task.id AS task_id, task.worker_id,
       CAST(extract(epoch FROM now - coalesce(worker.connected_at, now)) * 1000 AS bigint) AS hello_ms,
       CAST(extract(epoch FROM now - greatest(coalesce(task.started_at, task.dispatched_at),
              coalesce(worker.last_seen_at, now) - 2 * :heartbeat_ms * interval '1 millisecond')) * 1000 AS bigint)
         AS heartbeat_ms
FROM unnest(CAST(:tasks AS uuid[]), CAST(:dispatches AS uuid[])) AS input (task_id, dispatch_id)
JOIN task ON task.id = input.task_id AND task.dispatch_id = input.dispatch_id
LEFT JOIN worker ON worker.id = task.worker_id, (SELECT belay_now() AS now) AS clock
