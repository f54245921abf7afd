DELETE FROM bulk_operation
WHERE id IN (SELECT id
             FROM bulk_operation
             WHERE ended_at < belay_now() - :retention_seconds * interval '1 second'
             LIMIT :limit)
