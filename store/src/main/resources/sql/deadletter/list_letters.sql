SELECT l.id, l.task_id AS task, l.run_id AS run, l.tenant, l.topic, l.pool, l.workflow, l.name, l.reason, l.detail, l.fingerprint,
       l.attempts, l.created_at, l.retry_of, l.retries, l.retried_as, l.retried_at, l.retried_by
FROM (
  -- What an index gives in order. The limit bounds how many of these a page looks at; it stops earlier when it is full.
  SELECT id, task_id, run_id, tenant, topic, pool, workflow, name, reason, detail, fingerprint, attempts, created_at, retry_of, retries,
         retried_as, retried_at, retried_by
  FROM dead_letter
  WHERE tenant = :tenant
    AND id < :cursor               --? cursor
    AND fingerprint = :fingerprint --? fingerprint
    AND reason = :reason           --? reason
    AND retried_as IS NULL         --? unretried
  ORDER BY id DESC
  LIMIT :scan
) AS l
WHERE true
  AND l.topic = :topic             --? topic
  AND l.workflow = :workflow       --? workflow
  AND l.created_at >= :since       --? since
  AND l.retried_as IS NOT NULL     --? retried
ORDER BY l.id DESC
LIMIT :limit
