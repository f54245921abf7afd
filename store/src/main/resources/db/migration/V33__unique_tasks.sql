-- The task that last got a key. Whether it still holds the key follows from its state and from these columns, so that neither a claim nor
-- the end of a task writes here. A submit decides under the lock of this row.
-- scope: queued, until a worker gets the task for the first time; unfinished, until it has ended; for, until until_at.
CREATE TABLE unique_task (
  tenant   text NOT NULL,
  key      text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  task_id  uuid NOT NULL,
  scope    text NOT NULL CHECK (scope IN ('queued', 'unfinished', 'for')),
  until_at timestamptz,
  PRIMARY KEY (tenant, key),
  CHECK ((until_at IS NOT NULL) = (scope = 'for'))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX unique_task_of_task ON unique_task (task_id);
CREATE INDEX unique_task_until ON unique_task (until_at) WHERE until_at IS NOT NULL;
