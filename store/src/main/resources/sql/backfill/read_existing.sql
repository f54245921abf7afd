-- The newest run of each instant that has one. A run may be removed; then the ledger of a trigger or backfill still knows of it.
WITH wanted AS MATERIALIZED (
  SELECT at
  FROM unnest(CAST(:instants AS timestamptz[])) AS i (at)
)
SELECT wanted.at, newest.state
FROM wanted
LEFT JOIN LATERAL (SELECT r.state
                   FROM run r
                   WHERE r.tenant = :tenant AND r.workflow = :workflow AND r.logical_date = wanted.at
                     AND r.logical_date <> r.created_at
                   ORDER BY r.id DESC
                   LIMIT 1) newest ON true
WHERE newest.state IS NOT NULL
   OR EXISTS (SELECT 1
              FROM trigger t
              JOIN fire f ON f.trigger_id = t.id AND f.at = wanted.at
              WHERE t.tenant = :tenant AND t.workflow = :workflow AND f.outcome = 'fired')
   OR EXISTS (SELECT 1
              FROM backfill b
              JOIN backfill_fire f ON f.backfill_id = b.id AND f.at = wanted.at
              WHERE b.tenant = :tenant AND b.workflow = :workflow AND f.outcome = 'fired')
