-- The smallest limit that tasks that wait name for a concurrency key. Asks with one probe for each of the first task queues with this key;
-- EXISTS might be planned as a hash of all tasks that wait.
SELECT min(CAST(found.spec -> 'concurrency' ->> 'limit' AS int))
FROM (SELECT id, spec
      FROM task_queue
      WHERE spec -> 'concurrency' IS NOT NULL AND spec ->> 'tenant' = :tenant AND spec -> 'concurrency' ->> 'key' = :key
      LIMIT :max) AS found
WHERE (SELECT task.id FROM task WHERE task.state = 'SCHEDULED' AND task.queue_id = found.id LIMIT 1) IS NOT NULL
