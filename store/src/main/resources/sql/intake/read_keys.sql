SELECT i.tenant, i.key, i.request_hash, i.ids
FROM unnest(CAST(:tenants AS text[]), CAST(:keys AS text[])) AS wanted (tenant, key)
JOIN idempotency i ON i.tenant = wanted.tenant AND i.key = wanted.key
