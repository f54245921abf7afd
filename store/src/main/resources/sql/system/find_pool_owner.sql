SELECT declared_in, version
FROM pool
WHERE name = :name
