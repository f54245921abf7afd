SELECT w.id, w.spec, belay_now() AS now, c.deleted_at IS NOT NULL AS deleted,
       EXISTS (SELECT FROM tenant_intake i WHERE i.tenant = w.tenant) AS limited
FROM workflow w
LEFT JOIN workflow_control c ON c.tenant = w.tenant AND c.name = w.name
WHERE w.tenant = :tenant
  AND w.name = :name
  AND w.version = :version   --? version
ORDER BY w.version DESC
LIMIT 1
