-- From the index of ready tasks alone. Topics that are not declared count as one.
SELECT CASE WHEN task_queue.spec ->> 'topic' IS NULL THEN '' ELSE coalesce(topic.name, 'other') END AS topic,
       CAST(sum(ready.tasks) AS bigint) AS tasks
FROM (SELECT counted.queue_id, count(*) AS tasks
      FROM (SELECT queue_id FROM task WHERE state = 'SCHEDULED' ORDER BY queue_id LIMIT :max) AS counted
      GROUP BY counted.queue_id) AS ready
JOIN task_queue ON task_queue.id = ready.queue_id
LEFT JOIN topic ON topic.name = task_queue.spec ->> 'topic'
GROUP BY 1
