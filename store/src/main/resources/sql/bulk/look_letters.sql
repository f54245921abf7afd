-- The next dead letters, in the order of their ids, and whether each matches.
WITH looked AS MATERIALIZED (
  SELECT id
  FROM dead_letter
  WHERE id > :after AND id <= :up_to AND tenant = :tenant
    AND fingerprint = :fingerprint --? fingerprint
  ORDER BY id
  LIMIT :max
)
SELECT t.id, t.run_id, t.name, CASE WHEN t.retried_as IS NULL THEN 'OPEN' ELSE 'RETRIED' END AS state,
       --< bulk/match_letter
       AS matches
FROM looked
JOIN dead_letter t ON t.id = looked.id
ORDER BY t.id
