SELECT trigger.workflow, trigger.name AS trigger, fire.generation, fire.state, fire.outcome, fire.reason, fire.run_id,
       fire.ended_at, fire.decided_at
FROM chain_fire fire
JOIN trigger ON trigger.id = fire.trigger_id
WHERE fire.upstream_run_id = :run
ORDER BY fire.generation, trigger.workflow, trigger.name
LIMIT :limit
