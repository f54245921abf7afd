-- Which workflows of these tenants wait for the ends of which others.
SELECT t.tenant, t.workflow, v.source
FROM trigger_version v
JOIN trigger t ON t.id = v.trigger_id
WHERE v.kind = 'workflow'
  AND v.until_at IS NULL
  AND v.source IS NOT NULL
  AND t.tenant = ANY (CAST(:tenants AS text[]))
