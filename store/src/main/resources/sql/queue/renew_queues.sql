-- Task queues of open tasks stay in use. Looks at the open tasks only if a task queue was not renewed for a week.
UPDATE task_queue
SET used_at = belay_now()
WHERE used_at < belay_now() - interval '7 days'
  AND id IN (
    SELECT task.queue_id
    FROM task
    WHERE task.state IN ('PENDING', 'APPROVAL_REQUIRED', 'DEFERRED', 'BLOCKED')
    UNION
    SELECT task.queue_id
    FROM task
    WHERE task.state = 'SCHEDULED'
    UNION
    SELECT task.queue_id
    FROM task
    WHERE task.state IN ('DISPATCHED', 'RUNNING'))
