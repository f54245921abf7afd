-- Walks from trigger to trigger in the index, so one with many undecided ends costs no more than any other.
WITH RECURSIVE causes AS (
  (SELECT trigger_id
   FROM chain_fire
   WHERE outcome = 'pending'
   ORDER BY trigger_id
   LIMIT 1)
  UNION ALL
  SELECT (SELECT next.trigger_id
          FROM chain_fire next
          WHERE next.outcome = 'pending' AND next.trigger_id > causes.trigger_id
          ORDER BY next.trigger_id
          LIMIT 1)
  FROM causes
  WHERE causes.trigger_id IS NOT NULL
), oldest AS MATERIALIZED (
  SELECT fire.*
  FROM causes
  CROSS JOIN LATERAL (SELECT f.trigger_id, f.upstream_run_id, f.generation, f.version_id, f.state, f.logical_date, f.depth,
                             f.ended_at
                      FROM chain_fire f
                      WHERE f.outcome = 'pending' AND f.trigger_id = causes.trigger_id
                      ORDER BY f.ended_at
                      LIMIT :each) fire
  LIMIT :max
)
SELECT fire.trigger_id, fire.upstream_run_id, fire.generation, fire.state, fire.logical_date, fire.depth, version.spec,
       target.tenant, target.workflow, target.workflow_id, target.deleted, target.paused, target.trigger_paused, target.max_active,
       target.overlap, target.now
FROM oldest fire
JOIN trigger_version version ON version.id = fire.version_id
CROSS JOIN LATERAL (
--< trigger/find_target
) target
ORDER BY fire.trigger_id, fire.ended_at
