-- The time, all known workers with what changes often, and then what each worker holds, also those that are away. What a worker says of itself when
-- it connects is in dispatch/read_traits: session and connection are new whenever it may have changed.
SELECT CAST(NULL AS uuid) AS id, CAST(NULL AS uuid) AS session_id, CAST(NULL AS bigint) AS connection, CAST(NULL AS text) AS presence,
       CAST(NULL AS boolean) AS set_aside, CAST(NULL AS int) AS withheld_slots, CAST(NULL AS real) AS cpu_percent,
       CAST(NULL AS real) AS gpu_percent, CAST(NULL AS uuid[]) AS dispatches, CAST(NULL AS bigint[]) AS queues, CAST(NULL AS text[]) AS in_pools,
       CAST(NULL AS float8[]) AS since, CAST(extract(epoch FROM belay_now()) AS float8) AS now
UNION ALL
SELECT worker.id, worker.session_id, worker.connection,
       CASE WHEN worker.state <> 'CONNECTED' THEN worker.state
            WHEN worker.last_seen_at <= belay_now() - make_interval(secs => :silence_seconds) THEN 'SILENT'
            WHEN worker.trouble IS NOT NULL THEN 'TROUBLED'
            ELSE 'PRESENT' END AS presence,
       worker.set_aside_at IS NOT NULL AS set_aside, worker.withheld_slots, worker.cpu_percent, worker.gpu_percent,
       NULL, NULL, NULL, NULL, NULL
FROM worker
UNION ALL
SELECT task.worker_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, array_agg(task.dispatch_id), array_agg(task.queue_id),
       array_agg(task.dispatched_pool), array_agg(CAST(extract(epoch FROM coalesce(task.started_at, task.dispatched_at)) AS float8)), NULL
FROM task
WHERE task.state IN ('DISPATCHED', 'RUNNING')
GROUP BY task.worker_id
ORDER BY 1
