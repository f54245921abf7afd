DELETE FROM unserved_queue
WHERE queue_id = ANY(CAST(:queues AS bigint[]))
