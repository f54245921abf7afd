-- How many retries the task has used because what it needs was unavailable. BLOCKED tasks may stay for weeks and wait for no
-- time, so the index of waits that expire leaves them out.
ALTER TABLE task ADD COLUMN unavailable_count smallint NOT NULL DEFAULT 0;
ALTER TABLE task ALTER COLUMN unavailable_count SET STATISTICS 10;

DROP INDEX task_awaiting;
CREATE INDEX task_awaiting ON task (state_since) WHERE state IN ('APPROVAL_REQUIRED', 'DEFERRED');
