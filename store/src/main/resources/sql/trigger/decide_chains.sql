UPDATE chain_fire fire
SET outcome = input.outcome, reason = input.reason, run_id = input.run_id, decided_at = belay_now()
FROM unnest(CAST(:triggers AS uuid[]), CAST(:upstreams AS uuid[]), CAST(:generations AS int[]), CAST(:outcomes AS text[]),
            CAST(:reasons AS text[]), CAST(:runs AS uuid[]))
     AS input (trigger_id, upstream_run_id, generation, outcome, reason, run_id)
WHERE fire.trigger_id = input.trigger_id AND fire.upstream_run_id = input.upstream_run_id
  AND fire.generation = input.generation AND fire.outcome = 'pending'
