-- Tasks that wait for the same things share a task queue: tenant, workflow, where they may run, keys of limits. Its text is canonical,
-- so equal task queues have equal hashes. used_at is renewed while the task queue is in use; retention deletes those that are not.
CREATE TABLE task_queue (
  id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hash    bytea NOT NULL UNIQUE,
  spec    json NOT NULL,
  used_at timestamptz NOT NULL
);

-- The task queue of a task that only names a pool. For tasks that are older than task queues.
CREATE FUNCTION queue_of_pool(tenant text, workflow text, pool text) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  WITH plain AS (
    SELECT '{"tenant":' || to_json(tenant) || coalesce(',"workflow":' || to_json(workflow), '') || ',"pool":' || to_json(pool) || '}' AS spec
  )
  INSERT INTO task_queue (hash, spec, used_at)
  SELECT sha256(convert_to(plain.spec, 'UTF8')), CAST(plain.spec AS json), belay_now()
  FROM plain
  ON CONFLICT (hash) DO UPDATE SET used_at = EXCLUDED.used_at
  RETURNING id
$$;

-- Null for tasks that are not ready yet, that only wait for a time, or that ended before this version.
ALTER TABLE task ADD COLUMN queue_id bigint;
ALTER TABLE task ALTER COLUMN queue_id SET STATISTICS 10;

WITH open AS MATERIALIZED (
  SELECT task.id, task.tenant, run.workflow, task.pool
  FROM task LEFT JOIN run ON run.id = task.run_id
  WHERE task.state IN ('PENDING', 'APPROVAL_REQUIRED', 'SCHEDULED', 'DISPATCHED', 'RUNNING', 'DEFERRED', 'BLOCKED')
), queues AS MATERIALIZED (
  SELECT tenant, workflow, pool, queue_of_pool(tenant, workflow, pool) AS id
  FROM (SELECT DISTINCT tenant, workflow, pool FROM open) AS shared
)
UPDATE task
SET queue_id = queues.id
FROM open, queues
WHERE task.id = open.id AND queues.tenant = open.tenant AND queues.pool = open.pool
  AND coalesce(queues.workflow, '') = coalesce(open.workflow, '');

ALTER TABLE task ADD CHECK (state <> 'SCHEDULED' OR queue_id IS NOT NULL);

DROP INDEX task_ready;
CREATE INDEX task_ready
  ON task (queue_id, priority DESC, coalesce(run_id, CAST('00000000-0000-0000-0000-000000000000' AS uuid)), id)
  WHERE state = 'SCHEDULED';
-- As for the columns of the table: otherwise ANALYZE would read ten times as many rows, for this expression alone.
ALTER INDEX task_ready ALTER COLUMN 3 SET STATISTICS 10;
