SELECT id, version
FROM workflow
WHERE tenant = :tenant AND name = :name
ORDER BY version DESC
LIMIT 1
