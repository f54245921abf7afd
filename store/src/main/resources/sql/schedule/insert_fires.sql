INSERT INTO fire (trigger_id, at, due_at, outcome, reason, run_id, into_at, decided_at)
SELECT i.trigger_id, i.at, i.due_at, i.outcome, i.reason, i.run_id, i.into_at, belay_now()
FROM unnest(CAST(:triggers AS uuid[]), CAST(:ats AS timestamptz[]), CAST(:dues AS timestamptz[]), CAST(:outcomes AS text[]),
            CAST(:reasons AS text[]), CAST(:runs AS uuid[]), CAST(:intos AS timestamptz[]))
     AS i (trigger_id, at, due_at, outcome, reason, run_id, into_at)
