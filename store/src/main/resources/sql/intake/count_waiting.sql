-- Sees all submits that were counted before: each held the lock of the tenant until its commit. Goes from one waiting task queue to the
-- next, as dispatch/read_waiting, and reads only the tasks of this tenant's.
WITH RECURSIVE waiting AS (
  (SELECT queue_id FROM task WHERE state = 'SCHEDULED' ORDER BY queue_id LIMIT 1)
  UNION ALL
  SELECT next.queue_id
  FROM waiting
  CROSS JOIN LATERAL (
    SELECT task.queue_id
    FROM task
    WHERE task.state = 'SCHEDULED' AND task.queue_id > waiting.queue_id
    ORDER BY task.queue_id
    LIMIT 1
  ) AS next
)
SELECT (SELECT coalesce(sum(ready.tasks), 0)
        FROM waiting
        JOIN task_queue ON task_queue.id = waiting.queue_id AND task_queue.spec ->> 'tenant' = :tenant
        CROSS JOIN LATERAL (
          SELECT count(*) AS tasks FROM task WHERE task.state = 'SCHEDULED' AND task.queue_id = waiting.queue_id
        ) AS ready)
       + (SELECT count(*) FROM task WHERE state = 'PENDING' AND tenant = :tenant)
