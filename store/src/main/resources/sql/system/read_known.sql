-- What tasks may name: declared topics with their pools, declared pools, and pools that a worker serves, also one that is away or was removed.
SELECT 'topic' AS kind, name, pools, CAST(NULL AS text) AS state
FROM topic
UNION ALL
SELECT 'pool', name, CAST(NULL AS text[]), lower(state)
FROM pool
UNION ALL
SELECT 'served', name, NULL, NULL
FROM (SELECT unnest(pools) AS name FROM worker UNION SELECT name FROM former_pool) AS served
