SELECT b.id, b.tenant, b.workflow, b.trigger_id, b.timing ->> 'name' AS trigger, b.from_at AS "from", b.to_at AS "to",
       CASE WHEN b.forward THEN 'forward' ELSE 'back' END AS "order", b.concurrency, b.existing,
       CASE WHEN octet_length(CAST(b.params AS text)) <= 4096 THEN b.params END AS params, b.state, b.reason, b.total,
       b.fired, b.skipped, b.next_at AS next_instant,
       (SELECT count(*) FROM run WHERE run.backfill_id = b.id AND run.state IN ('QUEUED', 'RUNNING')) AS open,
       c.paused_at IS NOT NULL AS workflow_paused, b.created_at, b.created_by, b.ended_at
FROM backfill b
LEFT JOIN workflow_control c ON c.tenant = b.tenant AND c.name = b.workflow
WHERE b.tenant = :tenant
  AND b.id < :cursor           --? cursor
  AND b.workflow = :workflow   --? workflow
ORDER BY b.id DESC
LIMIT :limit
