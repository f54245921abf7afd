-- The leader, and the known workers that get no work: those that dispatch/read_workers omits.
SELECT now, leadership.leader, replica.seen_at AS leader_seen_at,
       coalesce(replica.seen_at > now - make_interval(secs => :gap_seconds), false) AS leader_live,
       absent.name AS worker, absent.pools, absent.state, absent.troubled, absent.set_aside
FROM (SELECT belay_now() AS now) AS clock
CROSS JOIN leadership
LEFT JOIN replica ON replica.name = leadership.leader
LEFT JOIN (SELECT worker.name, worker.pools, worker.state,
                  worker.trouble IS NOT NULL AND worker.last_seen_at > belay_now() - make_interval(secs => :silence_seconds) AS troubled,
                  worker.set_aside_at IS NOT NULL AND worker.last_seen_at > belay_now() - make_interval(secs => :silence_seconds) AS set_aside
           FROM worker
           WHERE worker.id <> ALL (CAST(:routable AS uuid[]))
           ORDER BY worker.last_seen_at DESC
           LIMIT :max) AS absent ON true
