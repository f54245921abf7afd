-- For losses that a worker's own words tell: how long ago it said hello, and how long ago the dispatch itself was last
-- heard of. The heartbeat that lacks it is the second such one, so the last that may have named it is two older.
SELECT attempt.dispatch_id, attempt.task_id, attempt.worker_id,
       CAST(extract(epoch FROM now - coalesce(worker.connected_at, now)) * 1000 AS bigint) AS hello_ms,
       CAST(extract(epoch FROM now - greatest(coalesce(attempt.started_at, attempt.dispatched_at),
              coalesce(worker.last_seen_at, now) - 2 * :heartbeat_ms * interval '1 millisecond')) * 1000 AS bigint)
         AS heartbeat_ms
FROM attempt
LEFT JOIN worker ON worker.id = attempt.worker_id, (SELECT belay_now() AS now) AS clock
WHERE attempt.dispatch_id = ANY(CAST(:dispatches AS uuid[]))
