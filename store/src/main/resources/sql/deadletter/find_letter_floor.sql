-- The last dead letter that a page of list_letters looked at, when it looked at as many as it may.
SELECT id
FROM dead_letter
WHERE tenant = :tenant
  AND id < :cursor               --? cursor
  AND fingerprint = :fingerprint --? fingerprint
  AND reason = :reason           --? reason
  AND retried_as IS NULL         --? unretried
ORDER BY id DESC
OFFSET :scan - 1
LIMIT 1
