-- Parameters may be large; the workflow has them.
SELECT t.id, t.tenant, t.workflow, t.name, v.kind, v.source,
       CAST(CAST(v.spec AS jsonb) - 'params' - 'templates' AS text) AS spec, v.from_at, v.until_at, v.next_at, v.due_at, v.paused_at,
       v.paused_by, c.paused_at AS workflow_paused_at, c.paused_by AS workflow_paused_by, last.at AS last_at,
       last.due_at AS last_due_at, last.outcome AS last_outcome, last.reason AS last_reason, last.run_id AS last_run_id,
       last.into_at AS last_into_at, last.decided_at AS last_decided_at
FROM trigger t
JOIN trigger_version v ON v.trigger_id = t.id AND v.until_at IS NULL
LEFT JOIN workflow_control c ON c.tenant = t.tenant AND c.name = t.workflow
LEFT JOIN LATERAL (
  SELECT f.at, f.due_at, f.outcome, f.reason, f.run_id, f.into_at, f.decided_at
  FROM fire f
  WHERE f.trigger_id = t.id
  ORDER BY f.at DESC
  LIMIT 1
) AS last ON true
WHERE true
  AND t.tenant = :tenant       --? tenant
  AND t.workflow = :workflow   --? workflow
  AND (t.tenant, t.workflow, t.name) > (SELECT p.tenant, p.workflow, p.name FROM trigger p WHERE p.id = :cursor)   --? cursor
ORDER BY t.tenant, t.workflow, t.name
LIMIT :limit
