-- One alert per loss: the text contains the time of the worker's last sign, so a new leader finds earlier alerts too.
INSERT INTO alert (kind, detail, at)
SELECT 'worker_lost', lost.detail, lost.now
FROM (SELECT clock.now, worker.last_seen_at,
             format('worker %s is lost: %s. It was last heard of at %s UTC. (id %s)',
                    worker.name,
                    CASE WHEN worker.closed_by_peer THEN 'it hung up and did not come back'
                         ELSE 'nothing is heard of it' END,
                    to_char(worker.last_seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS'),
                    worker.id) AS detail
      FROM worker
      CROSS JOIN (SELECT belay_now() AS now) AS clock
      WHERE worker.id = ANY(CAST(:workers AS uuid[])) AND NOT (worker.state = 'DISCONNECTED' AND worker.drained)) AS lost
WHERE NOT EXISTS (SELECT
                  FROM alert
                  WHERE alert.at >= lost.last_seen_at AND alert.kind = 'worker_lost'
                    AND alert.detail = lost.detail)
ORDER BY lost.detail
