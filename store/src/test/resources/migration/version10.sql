-- A database as version 10 leaves it in the middle of work: runs in every state, tasks in every state that can be reached.
-- Ids end in a number by which the test names them: runs 11 to 15, tasks from 21, their dispatches from 41, workers from 61,
-- their sessions from 71.
UPDATE leadership SET epoch = 7, leader = 'old', since = belay_now();

INSERT INTO workflow (id, tenant, name, version, spec, source, spec_hash, task_count, created_at, created_by)
VALUES ('01990000-0000-7000-8000-000000000001', 'default', 'etl', 1,
  '{"tenant": "default", "name": "etl", "run": {"max_active": 1}, "tasks": [
    {"name": "a", "command": ["true"]},
    {"name": "b", "command": ["true"], "depends_on": ["a"]}]}', 'name: etl', '\x01', 2, belay_now(), 'api');
INSERT INTO workflow_control (tenant, name, max_active) VALUES ('default', 'etl', 1);

INSERT INTO run (id, tenant, workflow_id, workflow, state, params, reason, logical_date, created_at, created_by, started_at,
  ended_at, cancel_requested_at, cancel_requested_by)
SELECT ('01990000-0000-7000-8000-0000000000' || id)::uuid, 'default', '01990000-0000-7000-8000-000000000001', 'etl',
  state::run_state, '{"day": "2026-03-04"}', reason, belay_now(), belay_now(), 'api',
  CASE WHEN state <> 'QUEUED' THEN belay_now() END,
  CASE WHEN state NOT IN ('QUEUED', 'RUNNING') THEN belay_now() END,
  CASE WHEN state = 'CANCELLED' THEN belay_now() END, CASE WHEN state = 'CANCELLED' THEN 'api' END
FROM (VALUES (11, 'QUEUED', 'max_active'), (12, 'RUNNING', NULL), (13, 'SUCCEEDED', 'completed'), (14, 'FAILED', 'task_failed'),
  (15, 'CANCELLED', 'cancelled')) AS runs (id, state, reason);
INSERT INTO run_history (run_id, from_state, to_state, reason, actor, at)
SELECT id, NULL, 'QUEUED', 'triggered', 'api', belay_now() FROM run;

-- Of run 12, a runs and b waits for it. The others were submitted alone.
INSERT INTO task (id, tenant, run_id, name, state, priority, error_count, lost_count, fence, pool, reason, state_since, not_before,
  dispatch_id, worker_id, session_id, created_at, queued_at, started_at, ended_at)
SELECT ('01990000-0000-7000-8000-0000000000' || id)::uuid, 'default',
  CASE WHEN run IS NOT NULL THEN ('01990000-0000-7000-8000-0000000000' || run)::uuid END, name, state::task_state, 50, errors, lost,
  CASE WHEN tried THEN 1 ELSE 0 END, 'default', reason, belay_now(), CASE WHEN state = 'PENDING' THEN belay_now() END,
  CASE WHEN tried THEN ('01990000-0000-7000-8000-0000000000' || id + 20)::uuid END,
  CASE WHEN tried THEN '01990000-0000-7000-8000-000000000061'::uuid END,
  CASE WHEN tried THEN '01990000-0000-7000-8000-000000000071'::uuid END,
  belay_now(), CASE WHEN tried THEN belay_now() END,
  CASE WHEN tried AND state <> 'DISPATCHED' THEN belay_now() END,
  CASE WHEN state NOT IN ('WAITING', 'PENDING', 'SCHEDULED', 'DISPATCHED', 'RUNNING') THEN belay_now() END
FROM (VALUES
  (21, 12, 'a', 'RUNNING', 'started', 0, 0, true),
  (22, 12, 'b', 'WAITING', 'created', 0, 0, false),
  (23, NULL, 'pending', 'PENDING', 'retry_error', 1, 0, true),
  (24, NULL, 'scheduled', 'SCHEDULED', 'ready', 0, 0, false),
  (25, NULL, 'dispatched', 'DISPATCHED', 'claimed', 0, 0, true),
  (26, NULL, 'running', 'RUNNING', 'started', 0, 1, true),
  (27, NULL, 'succeeded', 'SUCCEEDED', 'exit_code: 0', 0, 0, true),
  (28, NULL, 'failed', 'FAILED', 'exit_code', 1, 0, true),
  (29, NULL, 'timeout', 'TIMEOUT', 'execution_timeout', 1, 0, true),
  (30, NULL, 'cancelled', 'CANCELLED', 'cancelled', 0, 0, false),
  (31, 14, 'a', 'FAILED', 'exit_code', 1, 0, true),
  (32, 14, 'b', 'UPSTREAM_FAILED', 'upstream_failed', 0, 0, false),
  (33, 13, 'a', 'SKIPPED', 'when', 0, 0, false),
  (34, 13, 'b', 'SUCCEEDED', 'succeeded', 0, 0, true)) AS tasks (id, run, name, state, reason, errors, lost, tried);
INSERT INTO task_payload (task_id, work, labels)
SELECT id, '{"argv": ["true"], "retry": {"max": 1, "lost_max": 1}}', '{"team": "data"}' FROM task;
INSERT INTO history (task_id, from_state, to_state, reason, actor, dispatch_id, at)
SELECT id, NULL::task_state, 'SCHEDULED'::task_state, CASE WHEN run_id IS NULL THEN 'submitted' ELSE 'ready' END,
  CASE WHEN run_id IS NULL THEN 'api' ELSE 'planner' END, NULL::uuid, created_at FROM task
UNION ALL SELECT id, 'SCHEDULED', 'DISPATCHED', 'claimed', 'dispatcher', dispatch_id, queued_at FROM task WHERE dispatch_id IS NOT NULL
UNION ALL SELECT id, 'DISPATCHED', 'RUNNING', 'started', 'worker', dispatch_id, started_at FROM task WHERE started_at IS NOT NULL
UNION ALL SELECT id, CASE WHEN dispatch_id IS NULL THEN 'SCHEDULED'::task_state ELSE 'RUNNING' END, state, reason, 'worker', dispatch_id,
  coalesce(ended_at, state_since)
FROM task WHERE state NOT IN ('WAITING', 'SCHEDULED', 'DISPATCHED', 'RUNNING');
INSERT INTO attempt (dispatch_id, task_id, number, generation, worker_id, session_id, epoch, dispatched_at, started_at, ended_at,
  end_reason, exit_code, detail)
SELECT dispatch_id, id, 1, 1, worker_id, session_id, 7, queued_at, started_at,
  CASE WHEN state NOT IN ('DISPATCHED', 'RUNNING') THEN belay_now() END,
  CASE WHEN state NOT IN ('DISPATCHED', 'RUNNING') THEN 'exited' END, CASE WHEN ended_at IS NOT NULL THEN 0 END, 'detail of ' || name
FROM task WHERE dispatch_id IS NOT NULL;

-- 35 failed after two attempts, was retried by a person, and succeeded.
INSERT INTO task (id, tenant, name, state, priority, generation, fence, pool, reason, state_since, dispatch_id, worker_id, session_id,
  created_at, queued_at, started_at, ended_at)
VALUES ('01990000-0000-7000-8000-000000000035', 'default', 'twice', 'SUCCEEDED', 50, 2, 3, 'default', 'exit_code: 0',
  '2026-03-01T00:00:00Z', '01990000-0000-7000-8000-000000000055', '01990000-0000-7000-8000-000000000061',
  '01990000-0000-7000-8000-000000000071', '2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z',
  '2026-03-01T00:00:00Z');
INSERT INTO task_payload (task_id, work, labels)
SELECT id, '{"argv": ["true"], "retry": {"max": 1, "lost_max": 1}}', '{}' FROM task WHERE name = 'twice';
INSERT INTO history (task_id, from_state, to_state, reason, actor, dispatch_id, at)
SELECT '01990000-0000-7000-8000-000000000035', was::task_state, becomes::task_state, reason, actor,
  ('01990000-0000-7000-8000-0000000000' || dispatch)::uuid, '2026-03-01T00:00:00Z'
FROM (VALUES
  (NULL, 'SCHEDULED', 'submitted', 'api', NULL),
  ('SCHEDULED', 'DISPATCHED', 'claimed', 'dispatcher', 81),
  ('DISPATCHED', 'RUNNING', 'started', 'worker', 81),
  ('RUNNING', 'PENDING', 'retry_error', 'worker', 81),
  ('PENDING', 'SCHEDULED', 'due', 'engine', NULL),
  ('SCHEDULED', 'DISPATCHED', 'claimed', 'dispatcher', 82),
  ('DISPATCHED', 'RUNNING', 'started', 'worker', 82),
  ('RUNNING', 'FAILED', 'exit_code: 3', 'worker', 82),
  ('FAILED', 'SCHEDULED', 'retried', 'api', NULL),
  ('SCHEDULED', 'DISPATCHED', 'claimed', 'dispatcher', 55),
  ('DISPATCHED', 'RUNNING', 'started', 'worker', 55),
  ('RUNNING', 'SUCCEEDED', 'exit_code: 0', 'worker', 55)) AS steps (was, becomes, reason, actor, dispatch);
INSERT INTO attempt (dispatch_id, task_id, number, generation, worker_id, session_id, epoch, dispatched_at, started_at, ended_at,
  end_reason, exit_code, detail)
SELECT ('01990000-0000-7000-8000-0000000000' || dispatch)::uuid, '01990000-0000-7000-8000-000000000035', number, generation,
  '01990000-0000-7000-8000-000000000061', '01990000-0000-7000-8000-000000000071', 7, '2026-03-01T00:00:00Z',
  '2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z', 'exit_code: ' || code, code, 'attempt ' || number
FROM (VALUES (81, 1, 1, 3), (82, 2, 1, 3), (55, 3, 2, 0)) AS attempts (dispatch, number, generation, code);

INSERT INTO worker (id, name, pools, slots, labels, version, platform, session_id, connection, replica, state, started_at,
  connected_at, last_seen_at, disconnected_at, report_number, gone, drained, free_slots, trouble)
VALUES
  ('01990000-0000-7000-8000-000000000061', 'busy', '{default}', 4, '{"zone": "a"}', '0.1', 'linux',
   '01990000-0000-7000-8000-000000000071', 1, 'old', 'CONNECTED', belay_now(), belay_now(), belay_now(), NULL, 5, false, false, 1, NULL),
  ('01990000-0000-7000-8000-000000000062', 'hung-up', '{default}', 4, '{}', '0.1', 'linux',
   '01990000-0000-7000-8000-000000000072', 1, 'old', 'DISCONNECTED', belay_now(), belay_now(), belay_now(), belay_now(), 5, true, false, 1, 'disk'),
  ('01990000-0000-7000-8000-000000000063', 'drained', '{default}', 4, '{}', '0.1', 'linux',
   '01990000-0000-7000-8000-000000000073', 1, 'old', 'DISCONNECTED', belay_now(), belay_now(), belay_now(), belay_now(), 5, false, true, 1, NULL);
INSERT INTO worker_key (worker_id, key_hash, name, session_id, session_number, connection, first_seen_at, last_hello_at)
SELECT id, sha256('key'), name, session_id, 1, 1, belay_now(), belay_now() FROM worker WHERE name <> 'busy';
INSERT INTO replica (name, seen_at, writing_since) VALUES ('old', belay_now(), belay_now());
INSERT INTO outage (began_at, ended_at) VALUES ('2026-03-01T00:00:00Z', '2026-03-01T00:01:00Z');
INSERT INTO idempotency (tenant, key, request_hash, ids, created_at)
VALUES ('default', 'once', '\x02', '{01990000-0000-7000-8000-000000000027}', belay_now());
INSERT INTO recovery (kind, task_id, dispatch_id, worker_id, last_sign_at, detected_at, promised_ms)
VALUES ('agent_gone', '01990000-0000-7000-8000-000000000026', '01990000-0000-7000-8000-000000000046',
  '01990000-0000-7000-8000-000000000062', belay_now(), belay_now(), 100000);
INSERT INTO alert (kind, detail, at) VALUES ('worker_lost', 'hung-up is lost', belay_now());
