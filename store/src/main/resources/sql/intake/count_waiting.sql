-- Sees all submits that were counted before: each held the lock of the tenant until its commit.
SELECT (SELECT count(*)
        FROM task
        WHERE state = 'SCHEDULED'
          AND queue_id IN (SELECT id FROM task_queue WHERE spec ->> 'tenant' = :tenant))
       + (SELECT count(*) FROM task WHERE state = 'PENDING' AND tenant = :tenant)
