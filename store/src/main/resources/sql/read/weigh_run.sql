SELECT octet_length(CAST(r.params AS text)) AS bytes
FROM run r
WHERE r.id = :id
