-- Under the locks of the tasks, in the transaction that ended them. A run shows and retries its failed tasks by itself. A task of a
-- run keeps what identifies its run, because the run may be removed earlier. The deadline is the time that the task had from its
-- submit, or from its last reopening.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), input AS (
  SELECT id, task_id, reason, detail, cause, fingerprint
  FROM unnest(CAST(:ids AS uuid[]), CAST(:tasks AS uuid[]), CAST(:reasons AS text[]), CAST(:details AS text[]),
              CAST(:causes AS text[]), CAST(:fingerprints AS text[]))
       AS i (id, task_id, reason, detail, cause, fingerprint)
)
INSERT INTO dead_letter (id, task_id, generation, run_id, tenant, topic, pool, workflow, name, reason, detail, cause, fingerprint,
                         request, attempts, created_at, retry_of, retries)
SELECT input.id, task.id, task.generation, task.run_id, task.tenant, queue.spec ->> 'topic', task.pool, run.workflow, task.name, input.reason,
       input.detail, input.cause, input.fingerprint,
       json_build_object(
         'tenant', task.tenant, 'name', task.name, 'priority', task.priority, 'pool', task.pool,
         'deadline_ms', CASE WHEN task.run_id IS NULL
                             THEN CAST(extract(epoch FROM task.deadline_at
                                       - coalesce((SELECT max(step.at) FROM step
                                                   WHERE step.task_id = task.id AND step.to_state IN ('WAITING', 'PENDING')
                                                     AND step.from_state IN ('SUCCEEDED', 'FAILED', 'TIMEOUT', 'CANCELLED', 'DENIED',
                                                                             'OUTPUT_QUARANTINED', 'SKIPPED', 'UPSTREAM_FAILED')),
                                                  task.created_at)) * 1000 AS bigint) END,
         'strict', task.strict, 'labels', payload.labels, 'work', payload.work, 'queue', queue.spec,
         'run', CASE WHEN task.run_id IS NOT NULL
                     THEN json_build_object('id', task.run_id, 'workflow', run.workflow, 'version', workflow.version,
                                            'task', task.name, 'params', run.params, 'logical_date', run.logical_date) END),
       task.fencing_token, clock.now, earlier.id, coalesce(earlier.retries + 1, 0)
FROM clock, input
JOIN task ON task.id = input.task_id
LEFT JOIN task_payload AS payload ON payload.task_id = task.id
LEFT JOIN task_queue AS queue ON queue.id = task.queue_id
LEFT JOIN run ON run.id = task.run_id
LEFT JOIN workflow ON workflow.id = run.workflow_id
LEFT JOIN LATERAL (
  SELECT letter.id, letter.retries
  FROM dead_letter AS letter
  WHERE letter.retried_as = task.id
  ORDER BY letter.id DESC
  LIMIT 1
) AS earlier ON true
WHERE CAST(task.state AS text) = 'FAILED' AND (task.run_id IS NULL OR input.reason <> 'failed')
ON CONFLICT (task_id, generation) DO NOTHING
RETURNING task_id, reason, topic
