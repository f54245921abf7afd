SELECT trigger.workflow, trigger.name AS trigger, fire.outcome, fire.reason, fire.run_id, fire.decided_at
FROM event_fire fire
JOIN trigger ON trigger.id = fire.trigger_id
WHERE fire.event_id = :event
ORDER BY trigger.workflow, trigger.name
LIMIT :limit
