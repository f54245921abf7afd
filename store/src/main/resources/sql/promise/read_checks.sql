SELECT v.id, t.tenant, t.workflow, v.spec, v.next_at, v.until_at, coalesce(c.paused_at IS NOT NULL, false) AS paused
FROM (SELECT belay_now() AS now) AS clock, trigger_version v
JOIN trigger t ON t.id = v.trigger_id
LEFT JOIN workflow_control c ON c.tenant = t.tenant AND c.name = t.workflow
WHERE v.kind = 'expect_by' AND v.due_at <= clock.now - :settle_ms * interval '1 millisecond'
ORDER BY v.due_at
LIMIT :max
