-- A backfill of all instants takes none from the schedule. One without a trigger may have run the instants of any.
SELECT i.trigger_id, i.at, b.id AS backfill_id
FROM unnest(CAST(:triggers AS uuid[]), CAST(:ats AS timestamptz[])) AS i (trigger_id, at)
JOIN trigger t ON t.id = i.trigger_id
JOIN backfill b ON b.tenant = t.tenant AND b.workflow = t.workflow
JOIN backfill_fire f ON f.backfill_id = b.id AND f.at = i.at
WHERE b.existing <> 'all' AND coalesce(b.trigger_id, t.id) = t.id AND f.outcome = 'fired'
