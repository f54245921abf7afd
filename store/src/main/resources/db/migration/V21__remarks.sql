-- The view of V16 with a place for remarks: steps that begin and end in the same state, because a person changed something else
-- than the state or asked an attempt to end. One of a DISPATCHED task comes before the start of its attempt, so that start now lies
-- behind them. Each kind of stored step has room for 250,000,000,000.
CREATE OR REPLACE VIEW history AS
SELECT id AS task_id, CAST(0 AS bigint) AS id, CAST(NULL AS task_state) AS from_state, CAST('SCHEDULED' AS task_state) AS to_state,
       CAST('submitted' AS text) AS reason, created_by AS actor, CAST(NULL AS uuid) AS dispatch_id, created_at AS at
FROM task
WHERE created_by IS NOT NULL
UNION ALL
SELECT task_id, CAST(number AS bigint) << 40, 'SCHEDULED', 'DISPATCHED', 'claimed', 'dispatcher', dispatch_id, dispatched_at
FROM attempt
UNION ALL
SELECT task_id, (CAST(number AS bigint) << 40) + (CAST(1 AS bigint) << 38), 'DISPATCHED', 'RUNNING', 'started', 'worker', dispatch_id,
       started_at
FROM attempt
WHERE started_at IS NOT NULL
UNION ALL
SELECT task_id,
       (CAST(attempt AS bigint) << 40) + id
         + CASE WHEN from_state = 'DISPATCHED' AND to_state = 'DISPATCHED' THEN 0 ELSE CAST(1 AS bigint) << 39 END,
       from_state, to_state, reason, actor, dispatch_id, at
FROM step
UNION ALL
SELECT id, ((fencing_token + 1) << 40) - 1, 'RUNNING', 'SUCCEEDED', reason, 'worker', dispatch_id, ended_at
FROM task
WHERE state = 'SUCCEEDED' AND reason = 'exit_code: 0';
