-- They are full again, as is a key without a row. Compares the time again behind the lock: the leader may have used one meanwhile.
DELETE FROM rate_bucket
WHERE (tenant, key) IN (SELECT tenant, key
                        FROM rate_bucket
                        WHERE filled_at < belay_now() - make_interval(secs => :unused_seconds)
                        LIMIT :limit)
  AND filled_at < belay_now() - make_interval(secs => :unused_seconds)
