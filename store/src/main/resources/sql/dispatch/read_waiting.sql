-- Goes from task queue to task queue: each step is one probe of the index, however many tasks wait in it. The first entry of a task queue
-- has its best priority.
WITH RECURSIVE head AS (
  (SELECT task.queue_id, task.priority, 1 AS place
   FROM task
   WHERE task.state = 'SCHEDULED' AND task.queue_id > :after_queue
   ORDER BY task.queue_id, task.priority DESC
   LIMIT 1)
  UNION ALL
  SELECT next.queue_id, next.priority, head.place + 1
  FROM head
  CROSS JOIN LATERAL (
    SELECT task.queue_id, task.priority
    FROM task
    WHERE task.state = 'SCHEDULED' AND task.queue_id > head.queue_id
    ORDER BY task.queue_id, task.priority DESC
    LIMIT 1
  ) AS next
  WHERE head.place < :max
)
SELECT queue_id, priority
FROM head
