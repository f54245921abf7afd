SELECT l.id, l.task_id AS task, l.run_id AS run, l.tenant, l.topic, l.pool, l.workflow, l.name, l.reason, l.detail, l.fingerprint,
       l.attempts, l.created_at, l.retry_of, l.retries, l.retried_as, l.retried_at, l.retried_by
FROM dead_letter l
WHERE l.tenant = :tenant
  AND l.id < :cursor               --? cursor
  AND l.fingerprint = :fingerprint --? fingerprint
  AND l.reason = :reason           --? reason
  AND l.topic = :topic             --? topic
  AND l.workflow = :workflow       --? workflow
  AND l.created_at >= :since       --? since
  AND (l.retried_as IS NULL) = :open   --? open
ORDER BY l.id DESC
LIMIT :limit
