DELETE FROM alert
WHERE id IN (SELECT id
             FROM alert
             WHERE at < belay_now() - make_interval(secs => :retention_seconds)
             ORDER BY at
             LIMIT :limit
             FOR UPDATE SKIP LOCKED)
