DELETE FROM idempotency
WHERE (tenant, key) IN (SELECT tenant, key
                        FROM idempotency
                        WHERE created_at < belay_now() - make_interval(secs => :retention_seconds)
                        ORDER BY created_at
                        LIMIT :limit
                        FOR UPDATE SKIP LOCKED)
