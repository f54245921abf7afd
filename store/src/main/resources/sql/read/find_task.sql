SELECT t.id, t.tenant, t.run_id AS run, r.workflow, t.name, t.state, t.reason, t.state_since, t.priority, t.pool,
       t.fencing_token AS attempts, t.error_count, t.lost_count, t.crash_count, t.unavailable_count, t.generation,
       t.fencing_token, t.strict, t.not_before, t.deadline_at, t.dispatch_id AS dispatch, t.worker_id AS worker, w.name AS worker_name,
       t.created_at, t.dispatched_at, t.started_at, t.ended_at, t.note,
       (SELECT l.id FROM dead_letter l WHERE l.task_id = t.id AND l.generation = t.generation) AS dead_letter,
       (SELECT l.id FROM dead_letter l WHERE l.retried_as = t.id ORDER BY l.id DESC LIMIT 1) AS retry_of,
       coalesce(p.labels, '{}') AS labels, coalesce(p.work, 'null') AS work
FROM task t
-- A task that never became eligible has no payload.
LEFT JOIN task_payload p ON p.task_id = t.id
LEFT JOIN run r ON r.id = t.run_id
LEFT JOIN worker w ON w.id = t.worker_id
WHERE t.id = :id
