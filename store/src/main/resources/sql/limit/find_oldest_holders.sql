-- So many of the oldest holders must end that the waiting tasks find a place. Those that were asked before count, so a second look,
-- also by the next leader, asks nobody twice.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), holding AS MATERIALIZED (
  SELECT task.id, task.dispatch_id, task.queue_id, task.dispatched_at, task.abort_reason IS NOT NULL AS asked
  FROM task
  WHERE task.state IN ('DISPATCHED', 'RUNNING') AND task.queue_id IN (SELECT unnest(CAST(:holders AS bigint[])))
), held AS MATERIALIZED (
  SELECT i.queue_id, holding.id, holding.dispatch_id, holding.asked,
         row_number() OVER (PARTITION BY i.queue_id, holding.asked ORDER BY holding.dispatched_at, holding.id) AS place,
         count(*) OVER (PARTITION BY i.queue_id) AS tasks,
         count(*) FILTER (WHERE holding.asked) OVER (PARTITION BY i.queue_id) AS asked_before
  FROM unnest(CAST(:of AS bigint[]), CAST(:holders AS bigint[])) AS i (queue_id, holder)
  JOIN holding ON holding.queue_id = i.holder
)
SELECT wanted.queue_id, held.id, held.dispatch_id
FROM clock
CROSS JOIN unnest(CAST(:queues AS bigint[]), CAST(:limits AS int[])) AS wanted (queue_id, places)
CROSS JOIN LATERAL (
  SELECT count(*) AS tasks
  FROM (SELECT 1
        FROM task
        WHERE task.state = 'SCHEDULED' AND task.queue_id = wanted.queue_id
          AND (task.not_before IS NULL OR task.not_before <= clock.now)
          AND (task.lease_ends_at IS NULL OR task.lease_ends_at <= clock.now)
        LIMIT wanted.places) AS found
) AS waiting
JOIN held ON held.queue_id = wanted.queue_id
WHERE waiting.tasks > 0 AND NOT held.asked AND held.place <= held.tasks + waiting.tasks - wanted.places - held.asked_before
ORDER BY held.id
LIMIT :max
