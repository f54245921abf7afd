SELECT name, description
FROM pool
ORDER BY name
