-- Returns every worker, and the time even without workers. Silence counts only while a replica could write the next
-- heartbeat: since the worker's replica can write; if that replica is silent itself, since its own last sign; and never
-- during an outage of all replicas. It counts for at most a day: older outages are deleted.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), deaf AS MATERIALIZED (
  SELECT began_at, ended_at FROM outage
  UNION ALL
  SELECT seen_at, now
  FROM (
    --< replica/read_last_seen
  ) AS last, clock
  WHERE seen_at <= now - make_interval(secs => :gap_seconds)
), steady AS MATERIALIZED (
  SELECT CAST(greatest(0, extract(epoch FROM now - coalesce(max(ended_at), to_timestamp(0)))) AS float8) AS steady
  FROM clock LEFT JOIN deaf ON true
  GROUP BY now
)
SELECT now, steady, worker.id, worker.session_id, worker.connection, worker.heartbeat_number, worker.state, worker.closed_by_peer,
       CAST(greatest(0, extract(epoch FROM now - worker.last_seen_at)) AS float8) AS since_seen,
       CAST(greatest(0, extract(epoch FROM now - worker.disconnected_at)) AS float8) AS since_closed,
       CAST(greatest(0, extract(epoch FROM now - worker.connected_at)) AS float8) AS since_connected,
       CAST(greatest(0, extract(epoch FROM now - heard_at) - unheard) AS float8) AS silence,
       CAST(greatest(0, extract(epoch FROM now - sign_at) - unsigned) AS float8) AS listened,
       held.active, held.dispatched, held.overdue
FROM clock
CROSS JOIN steady
LEFT JOIN worker ON true
LEFT JOIN replica ON replica.name = worker.replica
LEFT JOIN LATERAL (
  SELECT greatest(worker.last_seen_at, worker.disconnected_at, now - interval '1 day') AS sign_at,
         greatest(worker.last_seen_at, now - interval '1 day',
                  CASE WHEN replica.seen_at > now - make_interval(secs => :gap_seconds) THEN replica.writing_since
                       ELSE replica.seen_at END) AS heard_at
) AS since ON true
LEFT JOIN LATERAL (
  SELECT coalesce(sum(extract(epoch FROM ended_at - greatest(began_at, heard_at)))
                  FILTER (WHERE ended_at > heard_at), 0) AS unheard,
         coalesce(sum(extract(epoch FROM ended_at - greatest(began_at, sign_at)))
                  FILTER (WHERE ended_at > sign_at), 0) AS unsigned
  FROM deaf
) AS missed ON true
LEFT JOIN LATERAL (
  SELECT count(*) AS active, count(*) FILTER (WHERE task.state = 'DISPATCHED') AS dispatched,
         coalesce(bool_or(task.session_id <> worker.session_id
                          OR (task.state = 'DISPATCHED'
                              AND task.dispatched_at <= now - make_interval(secs => :overdue_seconds))), false) AS overdue
  FROM task
  WHERE task.worker_id = worker.id AND task.state IN ('DISPATCHED', 'RUNNING')
) AS held ON true
ORDER BY worker.id
