-- For retention, which asks for the task queues that were not used lately.
CREATE INDEX task_queue_used ON task_queue (used_at);

-- The task queue of a task without a run, if it has the key of a limit. Such a task queue is forgotten days after its last open task, and
-- a retry of the task stores it again.
ALTER TABLE task_payload ADD COLUMN queue json;
UPDATE task_payload
SET queue = task_queue.spec
FROM task JOIN task_queue ON task_queue.id = task.queue_id
WHERE task.id = task_payload.task_id AND task.run_id IS NULL
  AND (task_queue.spec -> 'concurrency' IS NOT NULL OR task_queue.spec -> 'rate_limit' IS NOT NULL);
