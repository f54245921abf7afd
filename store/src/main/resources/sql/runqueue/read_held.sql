-- Of the given QUEUED runs, those whose turn has not come. Runs under the locks of the controls and under the epoch
-- lock, which makes the count of RUNNING runs final. Older runs go first, even if only younger ones are given. A run that is not
-- counted waits for no other. A run with a cancel request that the plan has not seen does not start; its mark ends it.
WITH wanted AS MATERIALIZED (
  SELECT id, tenant, workflow, counted, cancel_requested_at IS NOT NULL AS cancelled
  FROM run
  WHERE id = ANY(CAST(:runs AS uuid[])) AND state = 'QUEUED'
), gate AS MATERIALIZED (
  SELECT c.tenant, c.name, c.paused_at IS NOT NULL AS paused, c.max_active IS NOT NULL AS limited, youngest.id AS youngest,
         CASE WHEN c.max_active IS NOT NULL
              THEN c.max_active - (SELECT count(*)
                                   FROM run active
                                   WHERE active.tenant = c.tenant AND active.workflow = c.name
                                     AND active.state = 'RUNNING' AND active.counted)
         END AS free
  FROM workflow_control c
  JOIN (SELECT tenant, workflow, (array_agg(id ORDER BY id DESC))[1] AS id
        FROM wanted
        GROUP BY tenant, workflow) youngest
    ON c.tenant = youngest.tenant AND c.name = youngest.workflow
), next AS MATERIALIZED (
  SELECT queued.id
  FROM gate
  CROSS JOIN LATERAL (SELECT r.id
                      FROM run r
                      WHERE r.tenant = gate.tenant AND r.workflow = gate.name AND r.state = 'QUEUED'
                        AND r.counted AND r.id <= gate.youngest
                      ORDER BY r.id
                      LIMIT greatest(gate.free, 0)) queued
  WHERE gate.limited AND NOT gate.paused
)
SELECT wanted.id,
       CASE WHEN wanted.cancelled THEN 'cancelled' WHEN gate.paused THEN 'paused' ELSE 'max_active' END AS reason
FROM wanted
JOIN gate ON gate.tenant = wanted.tenant AND gate.name = wanted.workflow
WHERE wanted.cancelled
   OR gate.paused
   OR (gate.limited AND wanted.counted AND NOT EXISTS (SELECT 1 FROM next WHERE next.id = wanted.id))
