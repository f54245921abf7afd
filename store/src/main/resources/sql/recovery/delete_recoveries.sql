DELETE FROM recovery
WHERE id IN (SELECT id
             FROM recovery
             WHERE detected_at < belay_now() - make_interval(secs => :retention_seconds)
             ORDER BY detected_at
             LIMIT :limit
             FOR UPDATE SKIP LOCKED)
