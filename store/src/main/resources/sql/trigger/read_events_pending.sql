-- Walks from trigger to trigger in the index, so one with many events costs no more than any other.
WITH RECURSIVE causes AS (
  (SELECT version_id
   FROM event_fire
   WHERE outcome = 'pending' AND version_id > CAST(:after AS uuid)
   ORDER BY version_id
   LIMIT 1)
  UNION ALL
  SELECT (SELECT next.version_id
          FROM event_fire next
          WHERE next.outcome = 'pending' AND next.version_id > causes.version_id
          ORDER BY next.version_id
          LIMIT 1)
  FROM causes
  WHERE causes.version_id IS NOT NULL
), oldest AS MATERIALIZED (
  SELECT fire.*
  FROM causes
  CROSS JOIN LATERAL (SELECT f.trigger_id, f.event_id, f.version_id, f.received_at
                      FROM event_fire f
                      WHERE f.outcome = 'pending' AND f.version_id = causes.version_id
                      ORDER BY f.received_at, f.event_id
                      LIMIT :each) fire
  WHERE causes.version_id <> ALL (CAST(:except AS uuid[]))
  LIMIT :max
)
SELECT fire.trigger_id, fire.event_id, fire.version_id, fire.received_at, event.depth, event.data, version.spec, target.name,
       target.tenant, target.workflow, target.workflow_id, target.deleted, target.paused, target.trigger_paused, target.max_active,
       target.overlap, target.now
FROM oldest fire
JOIN event ON event.id = fire.event_id
JOIN trigger_version version ON version.id = fire.version_id
CROSS JOIN LATERAL (
--< trigger/find_target
) target
ORDER BY fire.version_id, fire.received_at, fire.event_id
