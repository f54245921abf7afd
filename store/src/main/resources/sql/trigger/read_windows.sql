WITH RECURSIVE open_windows AS (
  (SELECT version_id
   FROM event_fire
   WHERE outcome = 'waiting' AND version_id > CAST(:after AS uuid)
   ORDER BY version_id
   LIMIT 1)
  UNION ALL
  SELECT (SELECT next.version_id
          FROM event_fire next
          WHERE next.outcome = 'waiting' AND next.version_id > open_windows.version_id
          ORDER BY next.version_id
          LIMIT 1)
  FROM open_windows
  WHERE open_windows.version_id IS NOT NULL
), fires AS MATERIALIZED (
  SELECT version.trigger_id, version.id AS version_id, version.spec
  FROM (SELECT version_id FROM open_windows WHERE version_id IS NOT NULL LIMIT :max) open_window
  JOIN trigger_version version ON version.id = open_window.version_id
)
SELECT fire.trigger_id, fire.version_id, fire.spec, target.name, target.tenant, target.workflow, target.workflow_id,
       target.deleted, target.paused, target.trigger_paused, target.max_active,
       target.overlap, target.now,
       (SELECT f.received_at
        FROM event_fire f
        WHERE f.outcome = 'waiting' AND f.version_id = fire.version_id
        ORDER BY f.received_at
        LIMIT 1) AS first_at,
       (SELECT f.received_at
        FROM event_fire f
        WHERE f.outcome = 'waiting' AND f.version_id = fire.version_id
        ORDER BY f.received_at DESC
        LIMIT 1) AS last_at,
       (SELECT count(*)
        FROM (SELECT
              FROM event_fire f
              WHERE f.outcome = 'waiting' AND f.version_id = fire.version_id
              LIMIT :events_max) counted) AS events,
       (SELECT f.received_at
        FROM event_fire f
        WHERE f.outcome = 'pending' AND f.version_id = fire.version_id
        ORDER BY f.received_at
        LIMIT 1) AS first_pending_at
FROM fires fire
CROSS JOIN LATERAL (
--< trigger/find_target
) target
ORDER BY fire.version_id
