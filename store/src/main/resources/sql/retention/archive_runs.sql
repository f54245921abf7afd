SELECT r.id, CAST(CAST(r.xmin AS text) AS bigint) AS row_version, CAST(row_to_json(line) AS text) AS line
FROM unnest(CAST(:ids AS uuid[])) AS wanted (id)
JOIN run r ON r.id = wanted.id
JOIN workflow w ON w.id = r.workflow_id
CROSS JOIN LATERAL (
  SELECT 'run' AS kind, r.id, CAST(CAST(r.xmin AS text) AS bigint) AS row_version, r.tenant, r.workflow, w.version, r.state,
         r.reason, r.params, r.generation, r.logical_date, r.created_at, r.created_by, r.started_at, r.ended_at,
         r.cancel_requested_at, r.cancel_requested_by, r.timeout_at, r.timed_out_at, r.deadline_at, r.deadline_alerted_at,
         (SELECT t.name FROM trigger t WHERE t.id = r.trigger_id) AS trigger, r.backfill_id, r.upstream_run_id, r.event_id,
         array_to_json(ARRAY(
           SELECT row_to_json(h)
           FROM (SELECT run_history.from_state AS "from", run_history.to_state AS "to", run_history.reason,
                        run_history.actor, run_history.at
                 FROM run_history
                 WHERE run_history.run_id = r.id
                 ORDER BY run_history.id) h)) AS history
) AS line
WHERE r.ended_at IS NOT NULL
ORDER BY r.id
