-- The next tasks in the states of the filter, in the order of their ids, and whether each matches. Every state has its part, from its
-- index, so that tasks that succeeded cost nothing. OFFSET 0 keeps a range of ids from leading to all tasks in it. The tasks that wait
-- for a worker or have one come unordered and are sorted.
WITH looked AS MATERIALIZED (
  SELECT id FROM task WHERE false
  UNION ALL (SELECT id FROM (SELECT id FROM task WHERE run_id = :run OFFSET 0) AS r WHERE id > :after AND id <= :up_to ORDER BY id LIMIT :max) --? run
  UNION ALL (SELECT id FROM task WHERE state = 'WAITING' AND id > :after AND id <= :up_to ORDER BY id LIMIT :max) --? WAITING
  UNION ALL (SELECT id FROM task WHERE state = 'PENDING' AND id > :after AND id <= :up_to ORDER BY id LIMIT :max) --? PENDING
  UNION ALL (SELECT id FROM task WHERE state = 'APPROVAL_REQUIRED' AND id > :after AND id <= :up_to ORDER BY id LIMIT :max) --? APPROVAL_REQUIRED
  UNION ALL (SELECT id FROM task WHERE state = 'DEFERRED' AND id > :after AND id <= :up_to ORDER BY id LIMIT :max) --? DEFERRED
  UNION ALL (SELECT id FROM task WHERE state = 'BLOCKED' AND id > :after AND id <= :up_to ORDER BY id LIMIT :max) --? BLOCKED
  UNION ALL (SELECT id FROM task WHERE state = 'FAILED' AND id > :after AND id <= :up_to ORDER BY id LIMIT :max) --? FAILED
  UNION ALL (SELECT id FROM task WHERE state = 'TIMEOUT' AND id > :after AND id <= :up_to ORDER BY id LIMIT :max) --? TIMEOUT
  UNION ALL (SELECT id FROM task WHERE state = 'CANCELLED' AND id > :after AND id <= :up_to ORDER BY id LIMIT :max) --? CANCELLED
  UNION ALL (SELECT id FROM task WHERE state = 'DENIED' AND id > :after AND id <= :up_to ORDER BY id LIMIT :max) --? DENIED
  UNION ALL (SELECT id FROM task WHERE state = 'OUTPUT_QUARANTINED' AND id > :after AND id <= :up_to ORDER BY id LIMIT :max) --? OUTPUT_QUARANTINED
  UNION ALL (SELECT id FROM task WHERE state = 'SKIPPED' AND id > :after AND id <= :up_to ORDER BY id LIMIT :max) --? SKIPPED
  UNION ALL (SELECT id FROM task WHERE state = 'UPSTREAM_FAILED' AND id > :after AND id <= :up_to ORDER BY id LIMIT :max) --? UPSTREAM_FAILED
  UNION ALL (SELECT id FROM (SELECT id FROM task WHERE state = 'SCHEDULED' OFFSET 0) AS s WHERE id > :after AND id <= :up_to ORDER BY id LIMIT :max) --? SCHEDULED
  UNION ALL (SELECT id FROM (SELECT id FROM task WHERE state IN ('DISPATCHED', 'RUNNING') OFFSET 0) AS a WHERE id > :after AND id <= :up_to ORDER BY id LIMIT :max) --? active
  ORDER BY id
  LIMIT :max
)
SELECT t.id, t.run_id, t.name, t.state,
       --< bulk/match_task
       AS matches
FROM looked
JOIN task t ON t.id = looked.id
ORDER BY t.id
