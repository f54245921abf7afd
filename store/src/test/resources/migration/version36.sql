-- Rows of all tables of part 10. Tasks from 31 have keys: 31 has ended, 32 waits for a time; 33 and 34 were given up.
INSERT INTO task_queue (hash, spec, used_at)
SELECT sha256(convert_to(spec, 'UTF8')), CAST(spec AS json), belay_now() - interval '5 days'
FROM (SELECT '{"tenant":"default","pool":"default","concurrency":{"key":"order-' || number || '","limit":1,"on_conflict":"QUEUE"}}' AS spec
      FROM generate_series(1, 2) AS number) AS specs;
INSERT INTO task (id, tenant, name, state, priority, pool, reason, state_since, not_before, created_at, ended_at, queue_id)
SELECT ('01990000-0000-7000-8000-0000000000' || id)::uuid, 'default', 't', state::task_state, 50, 'default', 'test', belay_now(),
  CASE WHEN state = 'PENDING' THEN belay_now() + interval '1 hour' END, belay_now(), CASE WHEN state <> 'PENDING' THEN belay_now() END,
  (SELECT task_queue.id FROM task_queue WHERE spec #>> '{concurrency,key}' = key)
FROM (VALUES (31, 'CANCELLED', 'order-1'), (32, 'PENDING', 'order-2'), (33, 'FAILED', NULL), (34, 'FAILED', NULL)) AS tasks (id, state, key);
INSERT INTO task_payload (task_id, work, labels)
SELECT id, '{"argv": ["true"]}', '{}' FROM task WHERE id > '01990000-0000-7000-8000-000000000030';
INSERT INTO dead_letter (id, task_id, generation, tenant, topic, pool, name, reason, detail, cause, fingerprint, request, attempts, created_at,
  retried_as, retried_at, retried_by)
SELECT ('01990000-0000-7000-8000-0000000000' || id)::uuid, ('01990000-0000-7000-8000-0000000000' || task)::uuid, 1, 'default', 'etl',
  'default', 't', 'no_workers', 'no worker 7', 'no worker <n>', 'f1', '{}', 0, belay_now(),
  CASE WHEN retried THEN '01990000-0000-7000-8000-000000000024'::uuid END, CASE WHEN retried THEN belay_now() END,
  CASE WHEN retried THEN 'bob' END
FROM (VALUES (51, 33, true), (52, 34, false)) AS letters (id, task, retried);
INSERT INTO bulk_operation (id, tenant, kind, filter, note, preview, state, up_to, created_at, created_by)
VALUES ('01990000-0000-7000-8000-000000000061', 'default', 'cancel', '{"tenant": "default", "states": ["SCHEDULED"]}', '', '{}', 'RUNNING',
  '01990000-0000-7000-8000-000000000099', belay_now(), 'ann');
INSERT INTO unique_task (tenant, key, task_id, scope, until_at)
VALUES ('default', 'u1', '01990000-0000-7000-8000-000000000032', 'unfinished', NULL),
       ('default', 'u2', '01990000-0000-7000-8000-000000000031', 'for', belay_now());
INSERT INTO unserved_queue (queue_id, reason, detail, since)
VALUES (queue_of_pool('default', NULL, 'far'), 'NO_WORKERS', 'no worker of pool far ever came', belay_now());
INSERT INTO former_pool (name, capabilities, left_at) VALUES ('past', '{gpu}', belay_now());
INSERT INTO topic (name, description, pools, declared_in, version, changed_at, changed_by)
VALUES ('etl', NULL, '{default,gpu}', 'API', 2, belay_now(), 'ann');
INSERT INTO tenant (name, weight, max_running, max_waiting, declared_in, version, changed_at, changed_by)
VALUES ('data', 2, 10, 1, 'API', 3, belay_now(), 'ann');
INSERT INTO tenant_intake (tenant, waiting, counted_at, tokens, filled_at) VALUES ('data', 1, belay_now() - interval '1 min', 0, belay_now());
INSERT INTO rate_bucket (tenant, key, tokens, held, filled_at) VALUES ('data', 'api', 3.5, 1, belay_now());
UPDATE routing_version SET version = 3;
