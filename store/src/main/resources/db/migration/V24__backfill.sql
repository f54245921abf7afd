-- A backfill creates runs of a workflow for the instants of a range.
-- timing, calendar: copies of the trigger and of the calendar that it uses, so that a later change of the files does not change it.
-- trigger_id: null when the timing came with the request.
-- next_at: the first instant that is not decided, in its order; null when all are.
-- fired, skipped: how many instants were decided so.
CREATE TABLE backfill (
  id          uuid PRIMARY KEY,
  tenant      text NOT NULL,
  workflow    text NOT NULL,
  trigger_id  uuid,
  timing      jsonb NOT NULL,
  calendar    jsonb,
  from_at     timestamptz NOT NULL,
  to_at       timestamptz NOT NULL,
  forward     boolean NOT NULL,
  concurrency int NOT NULL CHECK (concurrency BETWEEN 1 AND 1000),
  existing    text NOT NULL CHECK (existing IN ('missing', 'failed', 'all')),
  params      jsonb NOT NULL,
  state       text NOT NULL CHECK (state IN ('RUNNING', 'PAUSED', 'CANCELLED', 'COMPLETED')),
  next_at     timestamptz,
  total       int NOT NULL CHECK (total > 0),
  fired       int NOT NULL DEFAULT 0 CHECK (fired >= 0),
  skipped     int NOT NULL DEFAULT 0 CHECK (skipped >= 0),
  created_at  timestamptz NOT NULL,
  created_by  text NOT NULL,
  ended_at    timestamptz,
  reason      text,
  CHECK (from_at < to_at),
  CHECK (next_at IS NULL OR (next_at >= from_at AND next_at < to_at)),
  CHECK ((ended_at IS NOT NULL) = (state IN ('CANCELLED', 'COMPLETED'))),
  CHECK ((reason IS NOT NULL) = (state IN ('PAUSED', 'CANCELLED'))),
  CHECK (state <> 'COMPLETED' OR next_at IS NULL)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX backfill_running ON backfill (id) WHERE state = 'RUNNING';
CREATE INDEX backfill_of_workflow ON backfill (tenant, workflow, id);
CREATE INDEX backfill_newest ON backfill (tenant, id DESC);
CREATE INDEX backfill_ended ON backfill (ended_at) WHERE ended_at IS NOT NULL;

-- What a backfill decided for each instant, once.
CREATE TABLE backfill_fire (
  backfill_id uuid NOT NULL REFERENCES backfill (id) ON DELETE CASCADE,
  at          timestamptz NOT NULL,
  outcome     text NOT NULL CHECK (outcome IN ('fired', 'skipped')),
  reason      text,
  run_id      uuid,
  decided_at  timestamptz NOT NULL,
  PRIMARY KEY (backfill_id, at),
  CHECK ((outcome = 'fired') = (run_id IS NOT NULL)),
  CHECK ((outcome = 'skipped') = (reason IS NOT NULL))
);

-- The open runs of a backfill, which its concurrency bounds.
CREATE INDEX run_open_of_backfill ON run (backfill_id) WHERE backfill_id IS NOT NULL AND state IN ('QUEUED', 'RUNNING');
-- Runs by the instant that they stand for. A run that stands for the time of its trigger is not in it.
CREATE INDEX run_of_instant ON run (tenant, workflow, logical_date) WHERE logical_date <> created_at;
