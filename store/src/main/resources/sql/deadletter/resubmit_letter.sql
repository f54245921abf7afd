-- Of two retries at once, the second waits for the row and then finds it retried. The text of the task queue is as it was interned, so
-- it has the same hash; retention may have deleted its row.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), retried AS (
  UPDATE dead_letter
  SET retried_as = :as, retried_at = now, retried_by = :actor
  FROM clock
  WHERE dead_letter.id = :id AND dead_letter.retried_as IS NULL AND dead_letter.run_id IS NULL
  RETURNING dead_letter.tenant, dead_letter.name, dead_letter.request
), queues AS (
  INSERT INTO task_queue (hash, spec, used_at)
  SELECT sha256(convert_to(CAST(retried.request -> 'queue' AS text), 'UTF8')), retried.request -> 'queue', now
  FROM retried, clock
  ON CONFLICT (hash) DO UPDATE SET used_at = EXCLUDED.used_at
  RETURNING id
), tasks AS (
  INSERT INTO task (id, tenant, name, state, priority, pool, reason, strict, deadline_at, state_since, created_at, queue_id)
  SELECT :as, retried.tenant, retried.name, CAST(:state AS task_state), CAST(retried.request ->> 'priority' AS int),
         retried.request ->> 'pool', :reason, CAST(retried.request ->> 'strict' AS boolean),
         now + CAST(retried.request ->> 'deadline_ms' AS bigint) * interval '1 millisecond', now, now, queues.id
  FROM retried, queues, clock
  RETURNING id, run_id, state, reason
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(state)
  FROM tasks
  HAVING count(*) > 0
), payloads AS (
  INSERT INTO task_payload (task_id, work, labels, queue)
  SELECT tasks.id, retried.request -> 'work', retried.request -> 'labels',
         CASE WHEN retried.request -> 'queue' -> 'concurrency' IS NOT NULL OR retried.request -> 'queue' -> 'rate_limit' IS NOT NULL
              THEN retried.request -> 'queue' END
  FROM tasks, retried
)
INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
SELECT id, 0, NULL, state, reason, :actor, now
FROM tasks, clock
