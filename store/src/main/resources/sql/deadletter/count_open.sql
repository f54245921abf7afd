SELECT reason, count(*) AS letters
FROM dead_letter
WHERE retried_as IS NULL
GROUP BY reason
