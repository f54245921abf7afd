SELECT declared_in, version
FROM topic
WHERE name = :name
