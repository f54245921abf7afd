INSERT INTO backfill_fire (backfill_id, at, outcome, reason, run_id, decided_at)
SELECT :id, i.at, CASE WHEN i.run_id IS NULL THEN 'skipped' ELSE 'fired' END, i.reason, i.run_id, belay_now()
FROM unnest(CAST(:ats AS timestamptz[]), CAST(:reasons AS text[]), CAST(:run_ids AS uuid[])) AS i (at, reason, run_id)
