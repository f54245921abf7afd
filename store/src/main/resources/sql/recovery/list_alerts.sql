SELECT a.id, a.kind, a.detail, a.at
FROM alert a
WHERE true
  AND a.id < :cursor   --? cursor
ORDER BY a.id DESC
LIMIT :limit
