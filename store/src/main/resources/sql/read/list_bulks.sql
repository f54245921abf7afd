SELECT id, tenant, kind, filter, priority, note, rate, preview, state, reason, matched, changed, refused, reasons, refusals, created_at,
       created_by, ended_at
FROM bulk_operation
WHERE tenant = :tenant
  AND id < :cursor   --? cursor
ORDER BY id DESC
LIMIT :limit
