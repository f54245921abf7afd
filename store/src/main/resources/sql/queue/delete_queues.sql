-- Task queues of open tasks stay in use; looks for those only where a task queue was not used for long, each
-- with a probe: EXISTS might be planned as a hash of all open tasks, and without an order the planner might read the table. Compares the time again behind the
-- lock: somebody may have interned one meanwhile. Returns how many were deleted or found in use.
WITH old AS MATERIALIZED (
  SELECT id, spec ->> 'tenant' AS tenant
  FROM task_queue
  WHERE used_at < belay_now() - make_interval(secs => :keyed_seconds)
    AND (used_at < belay_now() - make_interval(secs => :plain_seconds)
         OR spec -> 'concurrency' IS NOT NULL OR spec -> 'rate_limit' IS NOT NULL)
  ORDER BY used_at
  LIMIT :limit
), used AS MATERIALIZED (
  SELECT old.id
  FROM old
  WHERE (SELECT task.id FROM task WHERE task.state = 'SCHEDULED' AND task.queue_id = old.id LIMIT 1) IS NOT NULL
     OR (SELECT task.tenant = old.tenant AND task.queue_id = old.id
         FROM task
         WHERE task.state IN ('PENDING', 'APPROVAL_REQUIRED', 'DEFERRED', 'BLOCKED')
           AND (task.tenant, task.queue_id) >= (old.tenant, old.id)
         ORDER BY task.tenant, task.queue_id
         LIMIT 1) IS TRUE
     OR old.id IN (SELECT task.queue_id FROM task WHERE task.state IN ('DISPATCHED', 'RUNNING'))
), renewed AS (
  UPDATE task_queue
  SET used_at = belay_now()
  WHERE id IN (SELECT id FROM used)
  RETURNING id
), deleted AS (
  DELETE FROM task_queue
  WHERE id IN (SELECT id FROM old) AND id NOT IN (SELECT id FROM used)
    AND used_at < belay_now() - make_interval(secs => :keyed_seconds)
  RETURNING id
)
SELECT (SELECT count(*) FROM renewed) + (SELECT count(*) FROM deleted)
