SELECT b.id, b.tenant, b.workflow, b.trigger_id, b.timing, b.calendar, b.from_at, b.to_at, b.forward, b.concurrency, b.existing, b.params,
       b.next_at, belay_now() AS now,
       (SELECT count(*) FROM run WHERE run.backfill_id = b.id AND run.state IN ('QUEUED', 'RUNNING')) AS open,
       (SELECT w.id
        FROM workflow w
        WHERE w.tenant = b.tenant AND w.name = b.workflow
          AND NOT EXISTS (SELECT 1
                          FROM workflow_control c
                          WHERE c.tenant = b.tenant AND c.name = b.workflow AND c.deleted_at IS NOT NULL)
        ORDER BY w.version DESC
        LIMIT 1) AS latest
FROM backfill b
WHERE b.state = 'RUNNING' AND b.id > :after
ORDER BY b.id
LIMIT :max
