SELECT fire.trigger_id, fire.event_id
FROM event_fire fire
JOIN unnest(CAST(:triggers AS uuid[]), CAST(:events AS uuid[])) AS input (trigger_id, event_id)
  ON fire.trigger_id = input.trigger_id AND fire.event_id = input.event_id
WHERE fire.outcome = :open
ORDER BY fire.trigger_id, fire.event_id
FOR UPDATE OF fire
