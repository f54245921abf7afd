SELECT workflow.spec
FROM run JOIN workflow ON workflow.id = run.workflow_id
WHERE run.id = :run
