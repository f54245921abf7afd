DELETE FROM unserved_queue
WHERE queue_id = ANY(CAST(:queues AS bigint[]))
  AND NOT EXISTS (SELECT FROM task WHERE task.state = 'SCHEDULED' AND task.queue_id = unserved_queue.queue_id)
RETURNING queue_id
