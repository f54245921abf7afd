-- Waits for a concurrent claim of the same key to commit. Earlier requests hold the keys that are not returned. All
-- callers use the same order, so two bulk submits cannot deadlock.
WITH claim AS (
  SELECT n, tenant, key, decode(hash, 'hex') AS request_hash
  FROM unnest(CAST(:numbers AS int[]), CAST(:tenants AS text[]), CAST(:keys AS text[]), CAST(:hashes AS text[]))
       AS c (n, tenant, key, hash)
), grouped AS (
  SELECT n, array_agg(id ORDER BY position) AS ids
  FROM unnest(CAST(:id_numbers AS int[]), CAST(:ids AS uuid[])) WITH ORDINALITY AS i (n, id, position)
  GROUP BY n
)
INSERT INTO idempotency (tenant, key, request_hash, ids, created_at)
SELECT claim.tenant, claim.key, claim.request_hash, grouped.ids, belay_now()
FROM claim
JOIN grouped ON grouped.n = claim.n
ORDER BY claim.tenant, claim.key
ON CONFLICT (tenant, key) DO NOTHING
RETURNING tenant, key
