-- A trigger is a name in a workflow. It outlives the changes of its file, and so does its ledger.
CREATE TABLE trigger (
  id         uuid PRIMARY KEY,
  tenant     text NOT NULL,
  workflow   text NOT NULL,
  name       text NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (tenant, workflow, name)
);

-- What a trigger was from one change of its file until the next. Instants after from_at and up to until_at belong to it, so a change
-- takes no instant away and decides none twice.
-- kind expect_by is no trigger of the file: it checks once a day that a run has succeeded.
-- source: the workflow or the event that it waits for; null when it waits for a time.
-- spec is compared as text, so it is json.
-- next_at: the first instant that nobody has decided; it only moves forward. due_at: when the leader looks at it.
-- replay_from: it was resumed, and the instants that it skipped since then are decided again by its policy for missed ones.
CREATE TABLE trigger_version (
  id          uuid PRIMARY KEY,
  trigger_id  uuid NOT NULL REFERENCES trigger (id),
  kind        text NOT NULL CHECK (kind IN ('timed', 'workflow', 'event', 'expect_by')),
  source      text,
  spec        json NOT NULL,
  from_at     timestamptz NOT NULL,
  until_at    timestamptz,
  next_at     timestamptz,
  due_at      timestamptz,
  replay_from timestamptz,
  paused_at   timestamptz,
  paused_by   text,
  CHECK ((paused_at IS NULL) = (paused_by IS NULL)),
  CHECK ((source IS NULL) = (kind IN ('timed', 'expect_by')))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE UNIQUE INDEX trigger_version_live ON trigger_version (trigger_id) WHERE until_at IS NULL;
CREATE INDEX trigger_version_of_trigger ON trigger_version (trigger_id);
CREATE INDEX trigger_version_due ON trigger_version (kind, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX trigger_version_source ON trigger_version (kind, source) WHERE until_at IS NULL AND source IS NOT NULL;

-- The ledger: one row for each instant of a trigger that waits for times. at is the instant, due_at the instant with its jitter.
-- skipped and checked have a reason; coalesced has the instant that fired for it; checked is of expect_by.
CREATE TABLE fire (
  trigger_id uuid NOT NULL REFERENCES trigger (id),
  at         timestamptz NOT NULL,
  due_at     timestamptz NOT NULL,
  outcome    text NOT NULL CHECK (outcome IN ('fired', 'skipped', 'coalesced', 'checked')),
  reason     text,
  run_id     uuid,
  into_at    timestamptz,
  decided_at timestamptz NOT NULL,
  PRIMARY KEY (trigger_id, at),
  CHECK ((outcome = 'fired') = (run_id IS NOT NULL)),
  CHECK ((outcome = 'coalesced') = (into_at IS NOT NULL)),
  CHECK (outcome NOT IN ('skipped', 'checked') OR reason IS NOT NULL)
) WITH (fillfactor = 90);
CREATE INDEX fire_decided ON fire (decided_at);

-- What caused a run: a trigger, and behind it a backfill, the end of another run, or an event. depth counts the causes in a row.
-- counted: it waits for max_active and counts against it.
ALTER TABLE run
  ADD COLUMN trigger_id      uuid,
  ADD COLUMN backfill_id     uuid,
  ADD COLUMN upstream_run_id uuid,
  ADD COLUMN event_id        uuid,
  ADD COLUMN depth           int NOT NULL DEFAULT 0 CHECK (depth >= 0),
  ADD COLUMN counted         boolean NOT NULL DEFAULT true;
CREATE INDEX run_of_backfill ON run (backfill_id, logical_date) WHERE backfill_id IS NOT NULL;

-- The calendars that the system file declares, as JSON.
CREATE TABLE calendar (
  name text PRIMARY KEY,
  spec jsonb NOT NULL
);

-- What a trigger does when max_active is reached: that of the latest version. Null means that its run waits.
ALTER TABLE workflow_control
  ADD COLUMN overlap text CHECK (overlap IN ('ALLOW', 'SKIP', 'QUEUE', 'CANCEL_RUNNING'));
