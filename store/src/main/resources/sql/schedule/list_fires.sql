-- The ledger of the triggers of a workflow, the newest instant first. A page looks at a bounded number of rows of each trigger.
SELECT t.id AS trigger_id, t.name AS trigger, f.at, f.due_at, f.outcome, f.reason, f.run_id, f.into_at, f.decided_at
FROM trigger t
CROSS JOIN LATERAL (
  SELECT fire.at, fire.due_at, fire.outcome, fire.reason, fire.run_id, fire.into_at, fire.decided_at
  FROM fire
  WHERE fire.trigger_id = t.id
    AND fire.at <= :cursor_at                                                      --? cursor_at
    AND (fire.at, fire.trigger_id) < (:cursor_at, CAST(:cursor_trigger AS uuid))   --? cursor_at
    AND fire.at >= :floor                                                          --? floor
  ORDER BY fire.at DESC
  LIMIT :scan
) AS f
WHERE t.tenant = :tenant
  AND t.workflow = :workflow
  AND t.name = :trigger        --? trigger
  AND f.outcome = :outcome     --? outcome
ORDER BY f.at DESC, t.id DESC
LIMIT :limit
