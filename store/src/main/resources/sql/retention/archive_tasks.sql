-- One line for each finished task, named as in the API. json_agg would break the line between two elements.
SELECT t.id, CAST(CAST(t.xmin AS text) AS bigint) AS row_version, CAST(row_to_json(line) AS text) AS line
FROM unnest(CAST(:ids AS uuid[])) AS wanted (id)
JOIN task t ON t.id = wanted.id
LEFT JOIN task_payload p ON p.task_id = t.id
CROSS JOIN LATERAL (
  SELECT 'task' AS kind, t.id, CAST(CAST(t.xmin AS text) AS bigint) AS row_version, t.tenant, t.run_id AS run, t.name,
         t.map_index, t.state, t.reason, t.state_since, t.priority, t.pool, t.fencing_token AS attempt_count, t.error_count,
         t.lost_count, t.crash_count, t.unavailable_count, t.generation, t.fencing_token, t.strict, t.deadline_at, t.dispatch_id AS dispatch,
         t.worker_id AS worker, t.created_at, t.dispatched_at, t.started_at, t.ended_at, t.note, p.labels, p.work,
         array_to_json(ARRAY(
           SELECT row_to_json(a)
           FROM (SELECT attempt.dispatch_id AS dispatch, attempt.number, attempt.generation, attempt.worker_id AS worker,
                        attempt.session_id AS session, attempt.epoch, attempt.dispatched_at, attempt.started_at,
                        attempt.ended_at, attempt.end_reason, attempt.exit_code, attempt.signal, attempt.detail,
                        attempt.abort_reason, attempt.abort_at, attempt.abort_by, attempt.abort_note, attempt.late_outcome, attempt.last_heard_at, attempt.output_lost
                 FROM attempt
                 WHERE attempt.task_id = t.id
                 ORDER BY attempt.number) a)) AS attempts,
         array_to_json(ARRAY(
           SELECT row_to_json(h)
           FROM (SELECT history.from_state AS "from", history.to_state AS "to", history.reason, history.actor,
                        history.dispatch_id AS dispatch, history.at
                 FROM history
                 WHERE history.task_id = t.id
                 ORDER BY history.id) h)) AS history
) AS line
WHERE t.ended_at IS NOT NULL
ORDER BY t.id
