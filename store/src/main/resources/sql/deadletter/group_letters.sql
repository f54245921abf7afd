-- The groups with the newest dead letters first.
SELECT l.fingerprint, l.reason, l.cause, count(*) AS count, count(*) FILTER (WHERE l.retried_as IS NULL) AS open,
       min(l.created_at) AS oldest_at, max(l.created_at) AS newest_at,
       (array_agg(l.id ORDER BY l.id DESC))[1] AS newest
FROM dead_letter l
WHERE l.tenant = :tenant
  AND l.reason = :reason       --? reason
  AND l.topic = :topic         --? topic
  AND l.workflow = :workflow   --? workflow
  AND l.created_at >= :since   --? since
GROUP BY l.fingerprint, l.reason, l.cause
ORDER BY newest DESC
LIMIT :limit
