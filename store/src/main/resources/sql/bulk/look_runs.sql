-- The next runs, in the order of their ids, and whether each matches.
WITH looked AS MATERIALIZED (
  SELECT id
  FROM run
  WHERE id > :after AND id <= :up_to AND tenant = :tenant
    AND workflow = :workflow --? workflow
    AND state IN ('QUEUED', 'RUNNING') --? open
  ORDER BY id
  LIMIT :max
)
SELECT t.id, CAST(NULL AS uuid) AS run_id, t.workflow AS name, t.state,
       --< bulk/match_run
       AS matches
FROM looked
JOIN run t ON t.id = looked.id
ORDER BY t.id
