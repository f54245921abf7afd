DELETE FROM tenant
WHERE name = :name
