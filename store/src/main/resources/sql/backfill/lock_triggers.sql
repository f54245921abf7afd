-- The schedule decides an instant behind the lock of its version (schedule/advance_versions). A backfill without a trigger may have the
-- instants of any.
SELECT v.id
FROM trigger t
JOIN trigger_version v ON v.trigger_id = t.id
WHERE t.tenant = :tenant AND t.workflow = :workflow AND t.id = coalesce(CAST(:trigger AS uuid), t.id) AND v.kind = 'timed'
  AND (v.until_at IS NULL OR v.due_at IS NOT NULL)
ORDER BY v.id
FOR NO KEY UPDATE OF v
