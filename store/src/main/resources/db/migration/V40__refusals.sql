-- Tasks that wait again because a worker could not start them: for the explanation of what waits. Few tasks ever enter it.
CREATE INDEX task_refused ON task (attempt_ended_at) WHERE state = 'SCHEDULED' AND end_reason LIKE 'dispatch_failed: %';
