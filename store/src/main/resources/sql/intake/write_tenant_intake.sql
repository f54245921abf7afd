UPDATE tenant_intake
SET waiting = :waiting, counted_at = :counted_at, tokens = :tokens, filled_at = :filled_at
WHERE tenant = :tenant
