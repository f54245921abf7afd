-- Like resume_trigger, after the pause of a workflow. One that is paused itself is looked at when it is resumed.
WITH locked AS MATERIALIZED (
  SELECT v.id
  FROM trigger t
  JOIN trigger_version v ON v.trigger_id = t.id AND v.until_at IS NULL
  WHERE t.tenant = :tenant AND t.workflow = :workflow AND v.kind = 'timed'
  ORDER BY v.id
  FOR NO KEY UPDATE OF v
)
UPDATE trigger_version v
SET replay_from = least(v.replay_from, CAST(:paused_at AS timestamptz),
                        coalesce((SELECT f.at
                                  FROM fire f
                                  WHERE f.trigger_id = v.trigger_id AND f.at < :paused_at AND f.decided_at < :paused_at
                                    AND coalesce(f.reason, '') NOT IN ('paused', 'trigger_paused')
                                  ORDER BY f.at DESC
                                  LIMIT 1),
                                 (SELECT f.at FROM fire f WHERE f.trigger_id = v.trigger_id ORDER BY f.at LIMIT 1))),
    due_at = CASE WHEN v.paused_at IS NULL THEN least(v.due_at, belay_now()) ELSE v.due_at END
FROM locked
WHERE v.id = locked.id AND v.until_at IS NULL
