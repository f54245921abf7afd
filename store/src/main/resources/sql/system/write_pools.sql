-- Leaves a row as it is that says the same.
INSERT INTO pool (name, description, state, slots, capabilities, strategy, declared_in, version, changed_at, changed_by)
SELECT name, description, state, slots, string_to_array(capabilities, ','), strategy, :declared_in, :version, belay_now(), :actor
FROM unnest(CAST(:names AS text[]), CAST(:descriptions AS text[]), CAST(:states AS text[]), CAST(:slots AS int[]),
            CAST(:capabilities AS text[]), CAST(:strategies AS text[]))
     AS declared (name, description, state, slots, capabilities, strategy)
ON CONFLICT (name) DO UPDATE
SET description = EXCLUDED.description, state = EXCLUDED.state, slots = EXCLUDED.slots, capabilities = EXCLUDED.capabilities,
    strategy = EXCLUDED.strategy, declared_in = EXCLUDED.declared_in, version = EXCLUDED.version, changed_at = EXCLUDED.changed_at,
    changed_by = EXCLUDED.changed_by
WHERE (pool.description, pool.state, pool.slots, pool.capabilities, pool.strategy, pool.declared_in)
      IS DISTINCT FROM (EXCLUDED.description, EXCLUDED.state, EXCLUDED.slots, EXCLUDED.capabilities, EXCLUDED.strategy, EXCLUDED.declared_in)
