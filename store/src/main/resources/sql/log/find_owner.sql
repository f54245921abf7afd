-- The owner of a dispatch's log, and the task's other dispatches. Skips their search for a first attempt.
SELECT a.worker_id AS worker,
       CASE WHEN a.number > 1
            THEN ARRAY(SELECT h.dispatch_id
                       FROM history h
                       WHERE h.task_id = a.task_id AND h.to_state = 'DISPATCHED' AND h.dispatch_id <> a.dispatch_id
                       ORDER BY h.id DESC
                       LIMIT :limit)
            ELSE ARRAY[]::uuid[] END AS others
FROM attempt a
WHERE a.dispatch_id = :dispatch
