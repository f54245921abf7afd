SELECT octet_length(CAST(w.spec AS text)) + octet_length(w.source) AS bytes
FROM workflow w
WHERE w.tenant = :tenant
  AND w.name = :name
  AND w.version = :version   --? version
ORDER BY w.version DESC
LIMIT 1
