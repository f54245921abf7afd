-- Tasks without runs go in the order of the index. The runs of a workflow take turns at each priority, from the run behind :afters on:
-- turn goes from run to run, and each step is one probe of the index, however many tasks a run has. NOT IN, because a generic plan hashes
-- a subquery but not an array.
WITH clock AS MATERIALIZED (
  SELECT now, least(now, to_timestamp(:sure)) AS sure
  FROM (SELECT belay_now() AS now) AS read
)
SELECT ready.id, wanted.queue_id, ready.run_id, ready.priority,
       CAST(extract(epoch FROM ready.state_since) AS float8) AS ready_since, ready.again,
       CASE WHEN ready.attempt_ended_at IS NOT NULL THEN ready.worker_id END AS ended_on,
       CASE WHEN ready.end_reason LIKE 'dispatch_failed: %' THEN CAST(extract(epoch FROM ready.attempt_ended_at) AS float8) END AS refused_at
FROM clock
CROSS JOIN unnest(CAST(:queues AS bigint[]), CAST(:takes AS int[]), CAST(:afters AS uuid[])) WITH ORDINALITY
           AS wanted (queue_id, take, after, position)
CROSS JOIN LATERAL (
  (SELECT task.id, task.run_id, task.priority, task.state_since, task.dispatch_id IS NOT NULL AS again,
          task.worker_id, task.attempt_ended_at, task.end_reason, CAST(0 AS bigint) AS round, 0 AS place
   FROM task
   WHERE wanted.after IS NULL
     AND task.state = 'SCHEDULED'
     AND task.queue_id = wanted.queue_id
     --< dispatch/only_eligible
   ORDER BY task.priority DESC, coalesce(task.run_id, CAST('00000000-0000-0000-0000-000000000000' AS uuid)), task.id
   LIMIT wanted.take)
  UNION ALL
  (WITH RECURSIVE turn AS (
     -- The first step goes on from here: no run, but the best priority.
     (SELECT 0 AS place, task.priority, wanted.after AS run, true AS wraps, CAST(NULL AS uuid) AS up_to
      FROM task
      WHERE wanted.after IS NOT NULL
        AND task.state = 'SCHEDULED'
        AND task.queue_id = wanted.queue_id
        --< dispatch/only_eligible
      ORDER BY task.priority DESC, coalesce(task.run_id, CAST('00000000-0000-0000-0000-000000000000' AS uuid)), task.id
      LIMIT 1)
     UNION ALL
     SELECT turn.place + 1, next.priority, next.run, next.wraps, next.up_to
     FROM turn
     CROSS JOIN LATERAL (
       -- The next run of this priority,
       (SELECT task.priority, coalesce(task.run_id, CAST('00000000-0000-0000-0000-000000000000' AS uuid)) AS run, turn.wraps, turn.up_to
        FROM task
        WHERE task.state = 'SCHEDULED'
          AND task.queue_id = wanted.queue_id
          AND task.priority = turn.priority
          AND coalesce(task.run_id, CAST('00000000-0000-0000-0000-000000000000' AS uuid)) > turn.run
          AND coalesce(task.run_id, CAST('00000000-0000-0000-0000-000000000000' AS uuid))
              <= coalesce(turn.up_to, CAST('ffffffff-ffff-ffff-ffff-ffffffffffff' AS uuid))
          --< dispatch/only_eligible
        ORDER BY coalesce(task.run_id, CAST('00000000-0000-0000-0000-000000000000' AS uuid)), task.id
        LIMIT 1)
       UNION ALL
       -- or, behind the last one, the first run of the best priority, up to the one where it began,
       (SELECT task.priority, coalesce(task.run_id, CAST('00000000-0000-0000-0000-000000000000' AS uuid)), false, wanted.after
        FROM task
        WHERE turn.wraps
          AND task.state = 'SCHEDULED'
          AND task.queue_id = wanted.queue_id
          AND task.priority = turn.priority
          AND coalesce(task.run_id, CAST('00000000-0000-0000-0000-000000000000' AS uuid)) <= wanted.after
          --< dispatch/only_eligible
        ORDER BY coalesce(task.run_id, CAST('00000000-0000-0000-0000-000000000000' AS uuid)), task.id
        LIMIT 1)
       UNION ALL
       -- or the first run of the next priority.
       (SELECT task.priority, coalesce(task.run_id, CAST('00000000-0000-0000-0000-000000000000' AS uuid)), false, CAST(NULL AS uuid)
        FROM task
        WHERE task.state = 'SCHEDULED'
          AND task.queue_id = wanted.queue_id
          AND task.priority < turn.priority
          --< dispatch/only_eligible
        ORDER BY task.priority DESC, coalesce(task.run_id, CAST('00000000-0000-0000-0000-000000000000' AS uuid)), task.id
        LIMIT 1)
       LIMIT 1
     ) AS next
     WHERE turn.place < wanted.take
   )
   SELECT own.id, own.run_id, own.priority, own.state_since, own.again, own.worker_id, own.attempt_ended_at, own.end_reason,
          own.round, runs.place
   FROM (SELECT place, priority, run, count(*) OVER () AS runs FROM turn WHERE place > 0) AS runs
   CROSS JOIN LATERAL (
     SELECT task.id, task.run_id, task.priority, task.state_since, task.dispatch_id IS NOT NULL AS again,
            task.worker_id, task.attempt_ended_at, task.end_reason, row_number() OVER (ORDER BY task.id) AS round
     FROM task
     WHERE task.state = 'SCHEDULED'
       AND task.queue_id = wanted.queue_id
       AND task.priority = runs.priority
       AND coalesce(task.run_id, CAST('00000000-0000-0000-0000-000000000000' AS uuid)) = runs.run
       --< dispatch/only_eligible
     ORDER BY task.id
     LIMIT 2 * wanted.take / runs.runs + 1
   ) AS own
   ORDER BY own.priority DESC, own.round, runs.place
   LIMIT wanted.take)
) AS ready
ORDER BY ready.priority DESC, ready.round, ready.place, ready.id
