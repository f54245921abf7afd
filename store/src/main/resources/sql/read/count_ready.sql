-- From the index of ready tasks alone.
SELECT coalesce(task_queue.spec ->> 'topic', '') AS topic, CAST(sum(ready.tasks) AS bigint) AS tasks
FROM (SELECT counted.queue_id, count(*) AS tasks
      FROM (SELECT queue_id FROM task WHERE state = 'SCHEDULED' ORDER BY queue_id LIMIT :max) AS counted
      GROUP BY counted.queue_id) AS ready
JOIN task_queue ON task_queue.id = ready.queue_id
GROUP BY topic
