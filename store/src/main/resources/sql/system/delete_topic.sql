DELETE FROM topic
WHERE name = :name
