-- The one source of truth. Guards live in the statements (resources/sql); this file holds what must be
-- true of every row, whoever wrote it.

CREATE TYPE task_state AS ENUM (
  'WAITING', 'PENDING', 'APPROVAL_REQUIRED', 'SCHEDULED', 'DISPATCHED', 'RUNNING', 'DEFERRED', 'BLOCKED',
  'SUCCEEDED', 'FAILED', 'TIMEOUT', 'CANCELLED', 'DENIED', 'OUTPUT_QUARANTINED', 'SKIPPED', 'UPSTREAM_FAILED');

CREATE TYPE run_state AS ENUM ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED');

-- The database's clock. A test or simulation sets belay.now on its connections and so owns time.
CREATE FUNCTION belay_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
$$ SELECT coalesce(nullif(current_setting('belay.now', true), '')::timestamptz, clock_timestamp()) $$;

-- One row. A leader's writes hold a shared lock on the fence and compare this epoch (see Fence.java).
CREATE TABLE leadership (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  epoch     bigint NOT NULL,
  leader    text,
  since     timestamptz
);
INSERT INTO leadership (epoch) VALUES (0);

-- Immutable versions of workflows.
CREATE TABLE workflow (
  id         uuid PRIMARY KEY,
  tenant     text NOT NULL,
  name       text NOT NULL,
  version    int NOT NULL CHECK (version > 0),
  spec       jsonb NOT NULL,
  source     text NOT NULL,
  spec_hash  bytea NOT NULL,
  task_count int NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  UNIQUE (tenant, name, version)
);

CREATE TABLE run (
  id                  uuid PRIMARY KEY,
  tenant              text NOT NULL,
  workflow_id         uuid NOT NULL REFERENCES workflow (id),
  workflow            text NOT NULL,
  state               run_state NOT NULL,
  params              jsonb NOT NULL,
  reason              text,
  generation          int NOT NULL DEFAULT 1,
  parent_run_id       uuid,
  parent_task_id      uuid,
  logical_date        timestamptz NOT NULL,
  created_at          timestamptz NOT NULL,
  created_by          text NOT NULL,
  started_at          timestamptz,
  ended_at            timestamptz,
  cancel_requested_at timestamptz,
  cancel_requested_by text,
  CHECK ((ended_at IS NOT NULL) = (state IN ('SUCCEEDED', 'FAILED', 'CANCELLED'))),
  CHECK (state <> 'RUNNING' OR started_at IS NOT NULL),
  CHECK ((cancel_requested_at IS NULL) = (cancel_requested_by IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX run_newest ON run (tenant, id DESC);
CREATE INDEX run_of_workflow ON run (tenant, workflow, id DESC);
CREATE INDEX run_open ON run (id) WHERE state IN ('QUEUED', 'RUNNING');

CREATE TABLE run_history (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id     uuid NOT NULL,
  from_state run_state,
  to_state   run_state NOT NULL,
  reason     text NOT NULL,
  actor      text NOT NULL,
  at         timestamptz NOT NULL
);
CREATE INDEX run_history_of_run ON run_history (run_id, id);

-- "This run changed": appended with each end of a task, deleted by the plan that has read it.
CREATE TABLE mark (
  id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id uuid NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- The hot row: narrow. What the task does is in task_payload, its attempts in attempt.
-- dispatch_id, worker_id and session_id stay after an attempt ended: that dispatch is the current one until
-- the next claim, and its late success still counts.
CREATE TABLE task (
  id          uuid PRIMARY KEY,
  tenant      text NOT NULL,
  run_id      uuid,
  name        text NOT NULL,
  map_index   int NOT NULL DEFAULT -1 CHECK (map_index >= -1),
  state       task_state NOT NULL,
  priority    smallint NOT NULL CHECK (priority BETWEEN 1 AND 100),
  error_count smallint NOT NULL DEFAULT 0,
  lost_count  smallint NOT NULL DEFAULT 0,
  generation  int NOT NULL DEFAULT 1 CHECK (generation > 0),
  fence       bigint NOT NULL DEFAULT 0,
  pool        text NOT NULL,
  reason      text NOT NULL,
  state_since timestamptz NOT NULL,
  not_before  timestamptz,
  dispatch_id uuid,
  worker_id   uuid,
  session_id  uuid,
  created_at  timestamptz NOT NULL,
  queued_at   timestamptz,
  started_at  timestamptz,
  ended_at    timestamptz,
  CHECK ((ended_at IS NOT NULL) = (state IN ('SUCCEEDED', 'FAILED', 'TIMEOUT', 'CANCELLED', 'DENIED',
         'OUTPUT_QUARANTINED', 'SKIPPED', 'UPSTREAM_FAILED'))),
  CHECK (state NOT IN ('DISPATCHED', 'RUNNING')
         OR (dispatch_id IS NOT NULL AND worker_id IS NOT NULL AND session_id IS NOT NULL
             AND queued_at IS NOT NULL)),
  CHECK ((dispatch_id IS NULL) = (fence = 0)),
  CHECK (state <> 'RUNNING' OR started_at IS NOT NULL),
  CHECK (state <> 'DISPATCHED' OR started_at IS NULL)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05,
        autovacuum_vacuum_threshold = 1000, autovacuum_analyze_threshold = 500);
CREATE UNIQUE INDEX task_of_run ON task (run_id, name, map_index) WHERE run_id IS NOT NULL;
CREATE INDEX task_ready ON task (pool, priority DESC, id) WHERE state = 'SCHEDULED';
CREATE INDEX task_due ON task (not_before) WHERE state = 'PENDING';
CREATE INDEX task_active ON task (worker_id) WHERE state IN ('DISPATCHED', 'RUNNING');

CREATE TABLE task_payload (
  task_id uuid PRIMARY KEY,
  work    jsonb NOT NULL,
  labels  jsonb NOT NULL
);

-- One row for each dispatch; the end reason is set once. Partitioned by the time inside the UUIDv7 id.
-- Found by task through history (a DISPATCHED row names its dispatch), which saves an index here.
CREATE TABLE attempt (
  dispatch_id   uuid NOT NULL,
  task_id       uuid NOT NULL,
  number        int NOT NULL,
  generation    int NOT NULL,
  worker_id     uuid NOT NULL,
  session_id    uuid NOT NULL,
  epoch         bigint NOT NULL,
  dispatched_at timestamptz NOT NULL,
  started_at    timestamptz,
  ended_at      timestamptz,
  end_reason    text,
  exit_code     int,
  signal        int,
  detail        text,
  abort_reason  text,
  late_outcome  text,
  PRIMARY KEY (dispatch_id),
  CHECK ((ended_at IS NULL) = (end_reason IS NULL))
) PARTITION BY RANGE (dispatch_id);
CREATE TABLE attempt_default PARTITION OF attempt DEFAULT WITH (fillfactor = 70);

CREATE TABLE history (
  id          bigint GENERATED ALWAYS AS IDENTITY,
  task_id     uuid NOT NULL,
  from_state  task_state,
  to_state    task_state NOT NULL,
  reason      text NOT NULL,
  actor       text NOT NULL,
  dispatch_id uuid,
  at          timestamptz NOT NULL
) PARTITION BY RANGE (at);
CREATE INDEX history_of_task ON history (task_id, id);
CREATE TABLE history_default PARTITION OF history DEFAULT;

-- One row for each worker; a heartbeat costs one update here and none on its tasks.
CREATE TABLE worker (
  id              uuid PRIMARY KEY,
  name            text NOT NULL,
  pools           text[] NOT NULL,
  slots           int NOT NULL CHECK (slots > 0),
  labels          jsonb NOT NULL,
  version         text NOT NULL,
  platform        text NOT NULL,
  session_id      uuid NOT NULL,
  connection      bigint NOT NULL,
  replica         text NOT NULL,
  state           text NOT NULL CHECK (state IN ('CONNECTED', 'DRAINING', 'DISCONNECTED')),
  started_at      timestamptz NOT NULL,
  connected_at    timestamptz NOT NULL,
  last_seen_at    timestamptz NOT NULL,
  disconnected_at timestamptz,
  report_number   bigint NOT NULL DEFAULT 0,
  CHECK ((disconnected_at IS NOT NULL) = (state = 'DISCONNECTED'))
) WITH (fillfactor = 30, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

-- Same key and same request: same answer. Same key and another request: refused.
CREATE TABLE idempotency (
  tenant       text NOT NULL,
  key          text NOT NULL,
  request_hash bytea NOT NULL,
  ids          uuid[] NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (tenant, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);
