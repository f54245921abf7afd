-- Keeps instants that a pause skipped as long as a resume would decide them again: while the pause or its replay lasts, and they are
-- not older than missed_age.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
)
DELETE FROM fire
WHERE (trigger_id, at) IN (
  SELECT old.trigger_id, old.at
  FROM fire old
  WHERE old.decided_at < (SELECT now - make_interval(secs => :retention_seconds) FROM clock)
    AND (old.outcome <> 'skipped'
         OR old.reason NOT IN ('paused', 'trigger_paused')
         OR NOT EXISTS (SELECT 1
                        FROM trigger t
                        JOIN trigger_version v ON v.trigger_id = t.id AND v.until_at IS NULL
                        LEFT JOIN workflow_control c ON c.tenant = t.tenant AND c.name = t.workflow
                        CROSS JOIN clock
                        WHERE t.id = old.trigger_id
                          AND (v.paused_at IS NOT NULL OR v.replay_from IS NOT NULL OR c.paused_at IS NOT NULL)
                          AND old.at >= clock.now - coalesce(CAST(v.spec ->> 'missed_age' AS interval), interval '7 days')))
  ORDER BY old.decided_at
  LIMIT :limit
  FOR UPDATE SKIP LOCKED)
