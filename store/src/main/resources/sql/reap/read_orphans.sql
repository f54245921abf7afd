-- The end of a task appends a mark in its own transaction. A plan deletes the mark in the transaction that moves the
-- next tasks or ends the run. So nothing will ever touch an open run that has neither an active task nor a mark. A
-- postponed mark is one that the planner could not handle.
SELECT run.id,
       coalesce(run.orphan_noted_at BETWEEN now - make_interval(secs => 10 * :fails_seconds)
                                        AND now - make_interval(secs => :fails_seconds), false) AS replanned
FROM (SELECT belay_now() AS now) AS clock, run
WHERE run.state IN ('QUEUED', 'RUNNING') AND (run.state = 'RUNNING' OR run.reason IS NULL)
  AND run.id > CAST(:after AS uuid)
  AND coalesce(run.started_at, run.created_at) <= now - make_interval(secs => :orphan_seconds)
  AND NOT coalesce(run.orphan_noted_at > now - make_interval(secs => :fails_seconds), false)
  AND run.id NOT IN (SELECT run_id FROM mark WHERE NOT postponed)
  AND NOT EXISTS (
    SELECT 1 FROM task
    WHERE task.run_id = run.id
      AND (task.state IN ('PENDING', 'APPROVAL_REQUIRED', 'SCHEDULED', 'DISPATCHED', 'RUNNING', 'DEFERRED', 'BLOCKED')
           OR task.state_since > now - make_interval(secs => :orphan_seconds)))
ORDER BY run.id
LIMIT :max
