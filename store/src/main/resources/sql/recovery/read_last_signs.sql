-- For losses that a worker reports: the time since its hello, and the time since the last sign of the dispatch. Belay
-- gives up a dispatch at the second heartbeat that lacks it, so the last one that may have listed it is two older.
SELECT attempt.dispatch_id, attempt.task_id, attempt.worker_id,
       CAST(extract(epoch FROM now - coalesce(worker.connected_at, now)) * 1000 AS bigint) AS hello_ms,
       CAST(extract(epoch FROM now - greatest(coalesce(attempt.started_at, attempt.dispatched_at),
              coalesce(worker.last_seen_at, now) - 2 * :heartbeat_ms * interval '1 millisecond')) * 1000 AS bigint)
         AS heartbeat_ms
FROM attempt
LEFT JOIN worker ON worker.id = attempt.worker_id, (SELECT belay_now() AS now) AS clock
WHERE attempt.dispatch_id = ANY(CAST(:dispatches AS uuid[]))
