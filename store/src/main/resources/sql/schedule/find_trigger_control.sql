-- expect_by is no trigger of the file: it has no pause of its own.
SELECT t.id, v.paused_at, v.paused_by
FROM trigger t
JOIN trigger_version v ON v.trigger_id = t.id AND v.until_at IS NULL
WHERE t.tenant = :tenant AND t.workflow = :workflow AND t.name = :name AND v.kind <> 'expect_by'
