SELECT l.id, l.task_id AS task, l.run_id AS run, l.tenant, l.topic, l.pool, l.workflow, l.name, l.reason, l.detail, l.fingerprint,
       l.attempts, l.created_at, l.retry_of, l.retries, l.retried_as, l.retried_at, l.retried_by, l.request
FROM dead_letter l
WHERE l.id = :id
