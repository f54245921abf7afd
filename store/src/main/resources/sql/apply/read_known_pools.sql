-- The pools that the system file declares or a worker serves, also one that is away.
SELECT name FROM pool
UNION
SELECT unnest(pools) FROM worker
