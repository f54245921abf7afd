-- One that is known keeps its time. The task queue may have been removed meanwhile.
INSERT INTO unserved_queue (queue_id, reason, detail, since)
SELECT note.queue_id, note.reason, note.detail, belay_now()
FROM unnest(CAST(:queues AS bigint[]), CAST(:reasons AS text[]), CAST(:details AS text[])) AS note (queue_id, reason, detail)
JOIN task_queue ON task_queue.id = note.queue_id
ORDER BY note.queue_id
ON CONFLICT (queue_id) DO UPDATE
SET reason = EXCLUDED.reason, detail = EXCLUDED.detail
RETURNING queue_id, reason, detail, since, CAST(extract(epoch FROM belay_now() - since) AS float8) AS age_seconds
