-- Only a timed trigger has a ledger to decide again. The last instant that was decided before the pause bounds it: the cursor moves
-- forward, so all later rows were decided during the pause, and all rows if there is no such instant. Nor was one that a pause skipped,
-- though it may look so when the clock was set back in the pause. What is overdue stays due at its time, should the clock be set back
-- now. Versions that ended and have instants left are resumed with it.
UPDATE trigger_version v
SET paused_at = NULL,
    paused_by = NULL,
    replay_from = CASE WHEN v.kind = 'timed' AND v.until_at IS NULL
                       THEN least(v.replay_from, v.paused_at,
                                  coalesce((SELECT f.at
                                            FROM fire f
                                            WHERE f.trigger_id = v.trigger_id AND f.at < v.paused_at AND f.decided_at < v.paused_at
                                              AND coalesce(f.reason, '') NOT IN ('paused', 'trigger_paused')
                                            ORDER BY f.at DESC
                                            LIMIT 1),
                                           (SELECT f.at FROM fire f WHERE f.trigger_id = v.trigger_id ORDER BY f.at LIMIT 1)))
                  END,
    due_at = CASE WHEN v.kind = 'timed' AND v.until_at IS NULL THEN least(v.due_at, belay_now()) ELSE v.due_at END
FROM trigger t
JOIN trigger_version live ON live.trigger_id = t.id AND live.until_at IS NULL
WHERE t.tenant = :tenant
  AND t.workflow = :workflow
  AND t.name = :name
  AND v.trigger_id = t.id
  AND v.paused_at IS NOT NULL
