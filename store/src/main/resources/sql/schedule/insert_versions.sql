-- Runs behind the locks of the triggers and of the writers of their workflows. Keeps the pause of the last version, and the replay
-- of one that it replaces.
WITH wanted AS MATERIALIZED (
  SELECT *
  FROM unnest(CAST(:ids AS uuid[]), CAST(:triggers AS uuid[]), CAST(:replaced AS uuid[]), CAST(:tenants AS text[]),
              CAST(:workflows AS text[]), CAST(:names AS text[]), CAST(:kinds AS text[]), CAST(:sources AS text[]),
              CAST(:specs AS text[]), CAST(:froms AS timestamptz[]), CAST(:nexts AS timestamptz[]), CAST(:dues AS timestamptz[]))
       AS w (id, trigger_id, replaced_id, tenant, workflow, name, kind, source, spec, from_at, next_at, due_at)
), triggers AS (
  INSERT INTO trigger (id, tenant, workflow, name, created_at)
  SELECT trigger_id, tenant, workflow, name, CAST(:now AS timestamptz)
  FROM wanted
  ON CONFLICT (id) DO NOTHING
)
INSERT INTO trigger_version (id, trigger_id, kind, source, spec, from_at, next_at, due_at, paused_at, paused_by,
                             replay_from)
SELECT w.id, w.trigger_id, w.kind, w.source, CAST(w.spec AS json), w.from_at, w.next_at,
       CASE WHEN last.replay_from IS NULL THEN w.due_at ELSE CAST(:now AS timestamptz) END, last.paused_at, last.paused_by,
       last.replay_from
FROM wanted w
LEFT JOIN LATERAL (SELECT v.paused_at, v.paused_by,
                          CASE WHEN w.kind = 'timed' AND v.id = w.replaced_id THEN v.replay_from END AS replay_from
                   FROM trigger_version v
                   WHERE v.trigger_id = w.trigger_id
                   ORDER BY v.id = w.replaced_id DESC NULLS LAST, v.id DESC
                   LIMIT 1) AS last ON true
