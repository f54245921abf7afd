-- The last run that a page of list_runs looked at, when it looked at as many as it may.
SELECT run.id
FROM run
WHERE run.tenant = :tenant
  AND run.id < :cursor                                      --? cursor
  AND run.workflow = :workflow                              --? workflow
  AND run.state = ANY (CAST(:open_states AS run_state[]))   --? open_states
ORDER BY run.id DESC
OFFSET :scan - 1
LIMIT 1
