-- Ends of runs for which a trigger of another workflow waited. The transaction that ends a run inserts one pending row for each trigger
-- that was in force then; the leader decides it. So a trigger fires once for each run and generation.
-- state, logical_date and depth are those of the upstream run when it ended: a retry or retention may change or remove its row.
CREATE TABLE chain_fire (
  trigger_id      uuid NOT NULL REFERENCES trigger (id),
  upstream_run_id uuid NOT NULL,
  generation      int NOT NULL,
  version_id      uuid NOT NULL,
  state           run_state NOT NULL,
  logical_date    timestamptz NOT NULL,
  depth           int NOT NULL,
  ended_at        timestamptz NOT NULL,
  outcome         text NOT NULL CHECK (outcome IN ('pending', 'fired', 'skipped')),
  reason          text,
  run_id          uuid,
  decided_at      timestamptz,
  PRIMARY KEY (trigger_id, upstream_run_id, generation),
  CHECK ((outcome = 'pending') = (decided_at IS NULL)),
  CHECK ((outcome = 'fired') = (run_id IS NOT NULL)),
  CHECK ((outcome = 'skipped') = (reason IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX chain_fire_pending ON chain_fire (trigger_id, ended_at) WHERE outcome = 'pending';
CREATE INDEX chain_fire_of_run ON chain_fire (upstream_run_id);
CREATE INDEX chain_fire_decided ON chain_fire (decided_at) WHERE outcome <> 'pending';

-- Events that somebody sent. key is the sender's: a second event with the key of the first one is the same event.
-- depth counts the runs that led to it, one the cause of the next; run_id is the run whose task sent it.
CREATE TABLE event (
  id          uuid PRIMARY KEY,
  tenant      text NOT NULL,
  name        text NOT NULL,
  key         text,
  data        jsonb NOT NULL,
  source      text NOT NULL CHECK (source IN ('api', 'hook')),
  received_at timestamptz NOT NULL,
  received_by text NOT NULL,
  run_id      uuid,
  depth       int NOT NULL CHECK (depth >= 0)
);
CREATE UNIQUE INDEX event_key ON event (tenant, name, key) WHERE key IS NOT NULL;
CREATE INDEX event_newest ON event (tenant, id DESC);
CREATE INDEX event_of_name ON event (tenant, name, id DESC);
CREATE INDEX event_received ON event (received_at);

-- What an event meant for each trigger that waited for it when it was stored.
-- pending: nobody has looked at it. waiting: its filter let it pass, and it waits for the end of its window.
-- fired: it started the run. coalesced: it is in the window of an event that did. failed: its filter has no value.
CREATE TABLE event_fire (
  trigger_id  uuid NOT NULL REFERENCES trigger (id),
  event_id    uuid NOT NULL,
  version_id  uuid NOT NULL,
  received_at timestamptz NOT NULL,
  outcome     text NOT NULL
              CHECK (outcome IN ('pending', 'waiting', 'fired', 'coalesced', 'filtered', 'skipped', 'failed')),
  reason      text,
  run_id      uuid,
  decided_at  timestamptz,
  PRIMARY KEY (trigger_id, event_id),
  CHECK ((outcome IN ('pending', 'waiting')) = (decided_at IS NULL)),
  CHECK ((outcome IN ('fired', 'coalesced')) = (run_id IS NOT NULL)),
  CHECK ((outcome IN ('skipped', 'failed')) = (reason IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX event_fire_pending ON event_fire (version_id, received_at, event_id) WHERE outcome = 'pending';
CREATE INDEX event_fire_waiting ON event_fire (version_id, received_at, event_id) WHERE outcome = 'waiting';
CREATE INDEX event_fire_of_event ON event_fire (event_id);
CREATE INDEX event_fire_of_run ON event_fire (run_id) WHERE run_id IS NOT NULL;
