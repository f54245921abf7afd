-- The owner of a dispatch's log, and the task's other dispatches. Skips their search for a first attempt.
SELECT a.worker_id AS worker,
       CASE WHEN a.number > 1
            THEN ARRAY(SELECT other.dispatch_id
                       FROM attempt other
                       WHERE other.task_id = a.task_id AND other.dispatch_id <> a.dispatch_id
                       ORDER BY other.number DESC
                       LIMIT :limit)
            ELSE CAST(ARRAY[] AS uuid[]) END AS others
FROM attempt a
WHERE a.task_id = :task AND a.dispatch_id = :dispatch
