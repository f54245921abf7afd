-- No more than max of each reason. Goes from reason to reason by the index.
WITH RECURSIVE found AS (
  (SELECT reason FROM dead_letter WHERE retried_as IS NULL ORDER BY reason LIMIT 1)
  UNION ALL
  SELECT next.reason
  FROM found
  CROSS JOIN LATERAL (
    SELECT letter.reason
    FROM dead_letter AS letter
    WHERE letter.retried_as IS NULL AND letter.reason > found.reason
    ORDER BY letter.reason
    LIMIT 1
  ) AS next
)
SELECT found.reason,
       (SELECT count(*)
        FROM (SELECT FROM dead_letter AS letter
              WHERE letter.retried_as IS NULL AND letter.reason = found.reason
              LIMIT :max) AS counted) AS letters
FROM found
