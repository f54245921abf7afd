-- Keys that are held for a time, which is over. Waits for nobody.
DELETE FROM unique_task
WHERE (tenant, key) IN (SELECT tenant, key
                        FROM unique_task
                        WHERE until_at < belay_now()
                        ORDER BY until_at
                        LIMIT :limit
                        FOR UPDATE SKIP LOCKED)
