SELECT name, spec
FROM calendar
