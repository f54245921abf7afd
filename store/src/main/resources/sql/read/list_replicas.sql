SELECT name, seen_at
FROM replica
ORDER BY name
LIMIT :limit
