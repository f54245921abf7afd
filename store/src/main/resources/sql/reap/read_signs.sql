-- Every worker, and in any case the time. Silence counts only while somebody was there to write the next report: since
-- its replica can write (again), or, when that one does not answer itself, until it last did.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
)
SELECT now, worker.id, worker.session_id, worker.connection, worker.report_number, worker.state, worker.gone,
       CAST(greatest(0, extract(epoch FROM now - worker.last_seen_at)) AS float8) AS since_seen,
       CAST(greatest(0, extract(epoch FROM now - worker.disconnected_at)) AS float8) AS since_closed,
       CAST(greatest(0, extract(epoch FROM now - worker.connected_at)) AS float8) AS since_connected,
       CAST(greatest(0, extract(epoch FROM now - greatest(
              worker.last_seen_at,
              CASE WHEN replica.seen_at > now - make_interval(secs => :gap_seconds) THEN replica.writing_since
                   ELSE replica.seen_at END))) AS float8) AS silence,
       held.active, held.dispatched, held.overdue
FROM clock
LEFT JOIN worker ON true
LEFT JOIN replica ON replica.name = worker.replica
LEFT JOIN LATERAL (
  SELECT count(*) AS active, count(*) FILTER (WHERE task.state = 'DISPATCHED') AS dispatched,
         coalesce(bool_or(task.session_id <> worker.session_id
                          OR (task.state = 'DISPATCHED'
                              AND task.queued_at <= now - make_interval(secs => :overdue_seconds))), false) AS overdue
  FROM task
  WHERE task.worker_id = worker.id AND task.state IN ('DISPATCHED', 'RUNNING')
) AS held ON true
ORDER BY worker.id
