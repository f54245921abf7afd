SELECT id, tenant, kind, filter, priority, note, rate, preview, state, reason, matched, changed, refused, reasons, refusals, created_at,
       created_by, ended_at
FROM bulk_operation
WHERE id = :id
