SELECT name, description, pools, lower(declared_in) AS declared_in, version, changed_at, changed_by
FROM topic
WHERE true
  AND name > :cursor   --? cursor
  AND name = :name   --? name
ORDER BY name
LIMIT :limit
