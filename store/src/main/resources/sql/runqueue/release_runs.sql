-- Marks the oldest held runs, as many as may start now. Runs under the locks of the controls. Runs that are not counted wait for no
-- other, only for a pause.
WITH open AS MATERIALIZED (
  SELECT c.tenant, c.name,
         CASE WHEN c.max_active IS NULL THEN :max
              ELSE least(:max, greatest(0, c.max_active - (SELECT count(*)
                                                           FROM run active
                                                           WHERE active.tenant = c.tenant
                                                             AND active.workflow = c.name
                                                             AND active.state = 'RUNNING' AND active.counted)))
         END AS free
  FROM unnest(CAST(:tenants AS text[]), CAST(:names AS text[])) AS changed (tenant, name)
  JOIN workflow_control c ON c.tenant = changed.tenant AND c.name = changed.name
  WHERE c.paused_at IS NULL
    AND EXISTS (SELECT 1
                FROM run r
                WHERE r.tenant = c.tenant AND r.workflow = c.name AND r.state = 'QUEUED' AND r.reason IS NOT NULL)
), released AS (
  UPDATE run
  SET reason = NULL
  FROM open
  CROSS JOIN LATERAL ((SELECT r.id
                       FROM run r
                       WHERE r.tenant = open.tenant AND r.workflow = open.name AND r.state = 'QUEUED'
                         AND r.reason IS NOT NULL AND r.counted
                       ORDER BY r.id
                       LIMIT open.free)
                      UNION ALL
                      (SELECT r.id
                       FROM run r
                       WHERE r.tenant = open.tenant AND r.workflow = open.name AND r.state = 'QUEUED'
                         AND r.reason IS NOT NULL AND NOT r.counted
                       ORDER BY r.id
                       LIMIT :max)) held
  WHERE run.id = held.id AND run.state = 'QUEUED'
  RETURNING run.id
), marks AS (
  INSERT INTO mark (run_id)
  SELECT id FROM released ORDER BY id
)
SELECT count(*) FROM released
