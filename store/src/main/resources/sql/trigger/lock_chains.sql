SELECT fire.trigger_id, fire.upstream_run_id, fire.generation
FROM chain_fire fire
JOIN unnest(CAST(:triggers AS uuid[]), CAST(:upstreams AS uuid[]), CAST(:generations AS int[]))
     AS input (trigger_id, upstream_run_id, generation)
  ON fire.trigger_id = input.trigger_id AND fire.upstream_run_id = input.upstream_run_id
     AND fire.generation = input.generation
WHERE fire.outcome = 'pending'
ORDER BY fire.trigger_id, fire.upstream_run_id, fire.generation
FOR UPDATE OF fire
