-- Of the newest dead letters, so that it costs the same however many there are. The groups with the newest ones first.
SELECT l.fingerprint, l.reason, l.cause, count(*) AS count, count(*) FILTER (WHERE l.retried_as IS NULL) AS open,
       min(l.created_at) AS oldest_at, max(l.created_at) AS newest_at,
       (array_agg(l.id ORDER BY l.id DESC))[1] AS newest
FROM (
  SELECT id, topic, workflow, reason, cause, fingerprint, created_at, retried_as
  FROM dead_letter
  WHERE tenant = :tenant
    AND reason = :reason       --? reason
  ORDER BY id DESC
  LIMIT :scan
) AS l
WHERE true
  AND l.topic = :topic         --? topic
  AND l.workflow = :workflow   --? workflow
  AND l.created_at >= :since   --? since
GROUP BY l.fingerprint, l.reason, l.cause
ORDER BY newest DESC
LIMIT :limit
