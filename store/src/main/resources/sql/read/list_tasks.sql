SELECT t.id, t.tenant, t.run_id AS run, r.workflow, t.name, t.state, t.reason, t.state_since, t.priority, t.pool,
       t.fencing_token AS attempts, t.error_count, t.lost_count, t.crash_count, t.unavailable_count, t.generation,
       t.fencing_token, t.strict, t.not_before, t.deadline_at, t.dispatch_id AS dispatch, t.worker_id AS worker, w.name AS worker_name,
       t.created_at, t.dispatched_at, t.started_at, t.ended_at
FROM (
  -- What an index gives in order. The limit bounds how many of these a page looks at; it stops earlier when it is full.
  SELECT task.*
  FROM task
  WHERE true
    AND task.id < :cursor                                           --? cursor
    AND task.run_id = :run                                          --? run
    AND task.state = CAST(:indexed_state AS task_state)             --? indexed_state
    AND task.state = ANY (CAST(:active_states AS task_state[]))     --? active_states
  ORDER BY task.id DESC
  LIMIT :scan
) AS t
LEFT JOIN run r ON r.id = t.run_id
LEFT JOIN worker w ON w.id = t.worker_id
WHERE t.tenant = :tenant
  AND t.worker_id = :worker                           --? worker
  AND t.state = ANY (CAST(:states AS task_state[]))   --? states
  AND t.name = :name                                  --? name
  AND t.pool = :pool                                  --? pool
  AND t.state_since > :changed_after                  --? changed_after
ORDER BY t.id DESC
LIMIT :limit
