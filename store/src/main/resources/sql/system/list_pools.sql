-- Declared pools, and those that only workers name.
WITH served AS (
  SELECT p.name, count(*) FILTER (WHERE w.state = 'CONNECTED') AS workers,
         coalesce(sum(w.slots) FILTER (WHERE w.state = 'CONNECTED'), 0) AS worker_slots
  FROM worker w, unnest(w.pools) AS p (name)
  GROUP BY p.name
)
SELECT name, pool.description, coalesce(lower(pool.state), 'active') AS state, pool.slots,
       coalesce(pool.capabilities, '{}') AS capabilities, coalesce(lower(pool.strategy), 'spread') AS strategy,
       coalesce(served.workers, 0) AS workers, coalesce(served.worker_slots, 0) AS worker_slots,
       lower(pool.declared_in) AS declared_in, pool.version, pool.changed_at, pool.changed_by
FROM pool FULL JOIN served USING (name)
WHERE true
  AND name > :cursor   --? cursor
  AND name = :name   --? name
ORDER BY name
LIMIT :limit
