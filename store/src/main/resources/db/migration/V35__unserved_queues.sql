-- Task queues with waiting tasks that nothing known can serve, and since when. The leader writes a row when it notices, and deletes it when
-- something can serve them again or no task waits.
CREATE TABLE unserved_queue (
  queue_id bigint PRIMARY KEY REFERENCES task_queue ON DELETE CASCADE,
  reason   text NOT NULL CHECK (reason IN ('NO_POOL_MAPPING', 'NO_WORKERS')),
  detail   text NOT NULL,
  since    timestamptz NOT NULL
);

-- Pools of workers that were removed, with what any of them could. Tasks wait for such a pool, and are not given up.
CREATE TABLE former_pool (
  name         text PRIMARY KEY,
  capabilities text[] NOT NULL,
  left_at      timestamptz NOT NULL
);
