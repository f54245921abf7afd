-- Those of the tenants whose submits are counted. Locks in the order of names, as every submit does.
SELECT t.name, t.max_waiting, t.submit_max, t.submit_per_ms, i.waiting, i.counted_at, i.tokens, i.filled_at
FROM tenant_intake i JOIN tenant t ON t.name = i.tenant
WHERE i.tenant = ANY (CAST(:tenants AS text[]))
ORDER BY i.tenant
FOR NO KEY UPDATE OF i
