SELECT octet_length(CAST(l.request AS text)) AS bytes
FROM dead_letter l
WHERE l.id = :id
