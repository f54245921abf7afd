SELECT 1
FROM workflow
WHERE tenant = :tenant AND name = :name AND version = :version
