-- The live triggers that name other calendars than these, without those of the named workflows.
SELECT t.tenant, t.workflow, t.name AS trigger, v.spec ->> 'calendar' AS calendar
FROM trigger_version v
JOIN trigger t ON t.id = v.trigger_id
WHERE v.until_at IS NULL
  AND v.kind = 'timed'
  AND v.spec ->> 'calendar' IS NOT NULL
  AND v.spec ->> 'calendar' <> ALL (CAST(:calendars AS text[]))
  AND NOT EXISTS (SELECT 1
                  FROM unnest(CAST(:tenants AS text[]), CAST(:workflows AS text[])) AS aside (tenant, workflow)
                  WHERE aside.tenant = t.tenant AND aside.workflow = t.workflow)
ORDER BY t.tenant, t.workflow, t.name
LIMIT :max
