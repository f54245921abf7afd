SELECT queue_id, reason, detail, since, CAST(extract(epoch FROM belay_now() - since) AS float8) AS age_seconds
FROM unserved_queue
ORDER BY queue_id
LIMIT :max
