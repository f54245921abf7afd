-- A time that is read once can be searched for in the index.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), due AS MATERIALIZED (
  SELECT v.*
  FROM trigger_version v
  WHERE v.kind = 'timed' AND v.due_at <= (SELECT now FROM clock)
  ORDER BY v.due_at
  LIMIT :max
)
SELECT due.id, due.trigger_id, t.tenant, t.workflow, due.spec, due.next_at, due.until_at, due.paused_at IS NOT NULL AS paused,
       due.replay_from, latest.id AS latest, c.paused_at IS NOT NULL AS workflow_paused, c.max_active, c.overlap, clock.now
FROM due
CROSS JOIN clock
JOIN trigger t ON t.id = due.trigger_id
JOIN workflow_control c ON c.tenant = t.tenant AND c.name = t.workflow
JOIN LATERAL (SELECT w.id
              FROM workflow w
              WHERE w.tenant = t.tenant AND w.name = t.workflow
              ORDER BY w.version DESC
              LIMIT 1) AS latest ON true
ORDER BY due.due_at
