-- What the migrations of part 10 change: declared pools, workers, and open tasks, which have no task queue yet.
INSERT INTO system_file (source, spec_hash, applied_at, applied_by) VALUES ('kind: system', '\x01', belay_now(), 'ann');
INSERT INTO pool (name, description) VALUES ('gpu', 'with a GPU');
INSERT INTO worker (id, name, pools, slots, labels, version, platform, session_id, connection, replica, state, started_at, connected_at,
  last_seen_at)
VALUES ('01990000-0000-7000-8000-000000000011', 'busy', '{gpu}', 4, '{"zone": "a"}', '0.1', 'linux', '01990000-0000-7000-8000-000000000012',
  1, 'old', 'CONNECTED', belay_now(), belay_now(), belay_now());
INSERT INTO task (id, tenant, name, state, priority, pool, reason, state_since, created_at)
VALUES ('01990000-0000-7000-8000-000000000024', 'default', 'scheduled', 'SCHEDULED', 50, 'gpu', 'ready', belay_now(), belay_now());
INSERT INTO task_payload (task_id, work, labels) VALUES ('01990000-0000-7000-8000-000000000024', '{"argv": ["true"]}', '{}');
