-- The view of V13 with room for 8,000,000 attempts of a task instead of 500,000, which a task that is refused twice a second reaches
-- within days, and for 500,000,000,000 stored steps.
-- id orders the steps of one task: after the claim and the start of an attempt come the stored steps since that claim, then
-- the usual end. Nothing follows the usual end: what reopens a task that succeeded must store that end as a step first.
CREATE OR REPLACE VIEW history AS
SELECT id AS task_id, CAST(0 AS bigint) AS id, CAST(NULL AS task_state) AS from_state, CAST('SCHEDULED' AS task_state) AS to_state,
       CAST('submitted' AS text) AS reason, created_by AS actor, CAST(NULL AS uuid) AS dispatch_id, created_at AS at
FROM task
WHERE created_by IS NOT NULL
UNION ALL
SELECT task_id, CAST(number AS bigint) << 40, 'SCHEDULED', 'DISPATCHED', 'claimed', 'dispatcher', dispatch_id, dispatched_at
FROM attempt
UNION ALL
SELECT task_id, (CAST(number AS bigint) << 40) + 1, 'DISPATCHED', 'RUNNING', 'started', 'worker', dispatch_id, started_at
FROM attempt
WHERE started_at IS NOT NULL
UNION ALL
SELECT task_id, (CAST(attempt AS bigint) << 40) + (CAST(1 AS bigint) << 39) + id, from_state, to_state, reason, actor,
       dispatch_id, at
FROM step
UNION ALL
SELECT id, ((fencing_token + 1) << 40) - 1, 'RUNNING', 'SUCCEEDED', reason, 'worker', dispatch_id, ended_at
FROM task
WHERE state = 'SUCCEEDED' AND reason = 'exit_code: 0';
