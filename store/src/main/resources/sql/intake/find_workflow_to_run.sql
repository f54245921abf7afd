SELECT id, spec, belay_now() AS now
FROM workflow
WHERE tenant = :tenant
  AND name = :name
  AND version = :version   --? version
ORDER BY version DESC
LIMIT 1
