-- NOT IN, because a generic plan hashes a subquery but not an array.
SELECT ready.id, ready.pool, CAST(extract(epoch FROM ready.state_since) AS float8) AS ready_since,
       ready.again
FROM unnest(CAST(:pools AS text[]), CAST(:limits AS int[])) AS wanted (pool, free)
CROSS JOIN LATERAL (
  SELECT task.id, task.pool, task.priority, task.state_since, task.dispatch_id IS NOT NULL AS again
  FROM task
  WHERE task.state = 'SCHEDULED'
    AND task.pool = wanted.pool
    AND (task.not_before IS NULL OR task.not_before <= belay_now())
    AND (task.lease_ends_at IS NULL OR task.lease_ends_at <= least(belay_now(), to_timestamp(:sure)))
    AND task.id NOT IN (SELECT unnest(CAST(:except AS uuid[])))
  ORDER BY task.priority DESC, task.id
  LIMIT wanted.free
) AS ready
ORDER BY ready.priority DESC, ready.id
