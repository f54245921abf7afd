SELECT name, spec
FROM calendar
ORDER BY name
