-- Those of the system file.
SELECT name, description
FROM pool
WHERE declared_in = 'SYSTEM_FILE'
ORDER BY name
