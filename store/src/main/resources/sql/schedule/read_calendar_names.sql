SELECT name
FROM calendar
