UPDATE event_fire fire
SET outcome = input.outcome, reason = input.reason, run_id = input.run_id,
    decided_at = CASE WHEN input.outcome <> 'waiting' THEN belay_now() END
FROM unnest(CAST(:triggers AS uuid[]), CAST(:events AS uuid[]), CAST(:outcomes AS text[]), CAST(:reasons AS text[]),
            CAST(:runs AS uuid[]))
     AS input (trigger_id, event_id, outcome, reason, run_id)
WHERE fire.trigger_id = input.trigger_id AND fire.event_id = input.event_id AND fire.outcome = :open
