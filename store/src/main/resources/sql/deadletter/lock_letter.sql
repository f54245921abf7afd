-- Of two retries at once, the second waits here and then finds the task of the first.
SELECT l.task_id, l.run_id, l.tenant, l.name, l.retried_as, l.retried_at, l.retried_by,
       CAST(l.request ->> 'priority' AS int) AS priority, l.request ->> 'pool' AS pool,
       CAST(l.request -> 'work' AS text) AS work, CAST(l.request -> 'labels' AS text) AS labels,
       CAST(l.request ->> 'strict' AS boolean) AS strict, CAST(l.request ->> 'deadline_ms' AS bigint) AS deadline_ms
FROM dead_letter l
WHERE l.id = :id
FOR UPDATE
