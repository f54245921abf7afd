SELECT DISTINCT pools, capabilities
FROM worker
UNION
SELECT ARRAY[name], capabilities
FROM former_pool
