-- To tell a task why it waits: others that wait may name a smaller limit for its key.
CREATE INDEX task_queue_key ON task_queue ((spec ->> 'tenant'), (spec -> 'concurrency' ->> 'key')) WHERE spec -> 'concurrency' IS NOT NULL;
