-- Leaves a row as it is that says the same.
INSERT INTO topic (name, description, pools, declared_in, version, changed_at, changed_by)
SELECT name, description, string_to_array(pools, ','), :declared_in, :version, belay_now(), :actor
FROM unnest(CAST(:names AS text[]), CAST(:descriptions AS text[]), CAST(:pools AS text[])) AS declared (name, description, pools)
ON CONFLICT (name) DO UPDATE
SET description = EXCLUDED.description, pools = EXCLUDED.pools, declared_in = EXCLUDED.declared_in, version = EXCLUDED.version,
    changed_at = EXCLUDED.changed_at, changed_by = EXCLUDED.changed_by
WHERE (topic.description, topic.pools, topic.declared_in)
      IS DISTINCT FROM (EXCLUDED.description, EXCLUDED.pools, EXCLUDED.declared_in)
