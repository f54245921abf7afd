-- Keeps the first person who paused it.
UPDATE trigger_version v
SET paused_at = belay_now(), paused_by = :actor
FROM trigger t
WHERE t.tenant = :tenant
  AND t.workflow = :workflow
  AND t.name = :name
  AND v.trigger_id = t.id
  AND v.until_at IS NULL
  AND v.kind <> 'expect_by'
  AND v.paused_at IS NULL
