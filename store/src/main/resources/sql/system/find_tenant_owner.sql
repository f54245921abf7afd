SELECT declared_in, version
FROM tenant
WHERE name = :name
