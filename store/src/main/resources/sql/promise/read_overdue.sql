SELECT run.id, run.generation, run.tenant, run.workflow, run.state,
       CAST(extract(epoch FROM CAST(workflow.spec #>> '{run,deadline}' AS interval)) AS float8) AS deadline,
       CAST(extract(epoch FROM now - run.deadline_at) AS float8) AS late
FROM run
JOIN workflow ON workflow.id = run.workflow_id
CROSS JOIN (SELECT belay_now() AS now) AS clock
WHERE run.state IN ('QUEUED', 'RUNNING') AND run.deadline_at <= clock.now AND run.deadline_alerted_at IS NULL
ORDER BY run.deadline_at
LIMIT :max
