-- Instants that were skipped because of a pause get another fate when the trigger is resumed. Runs behind the lock of its version.
UPDATE fire f
SET outcome = i.outcome, reason = i.reason, run_id = i.run_id, into_at = i.into_at, decided_at = belay_now()
FROM unnest(CAST(:ats AS timestamptz[]), CAST(:outcomes AS text[]), CAST(:reasons AS text[]), CAST(:runs AS uuid[]),
            CAST(:intos AS timestamptz[]))
     AS i (at, outcome, reason, run_id, into_at)
WHERE f.trigger_id = :trigger AND f.at = i.at AND f.outcome = 'skipped' AND f.reason IN ('paused', 'trigger_paused')
RETURNING f.at
