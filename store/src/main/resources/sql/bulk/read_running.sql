SELECT id, kind, filter, priority, note, rate, created_by, created_at, up_to, cursor,
       CAST(greatest(0, extract(epoch FROM due_at - belay_now()) * 1000) AS bigint) AS wait_ms
FROM bulk_operation
WHERE state = 'RUNNING' AND id > :after
ORDER BY id
LIMIT :max
