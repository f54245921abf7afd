-- A replica says every second that it can write. Silence of its workers counts only from writing_since on, which begins
-- anew after it could not write for a while; a replica that is gone itself speaks for nobody after seen_at.
CREATE TABLE replica (
  name          text PRIMARY KEY,
  seen_at       timestamptz NOT NULL,
  writing_since timestamptz NOT NULL
) WITH (fillfactor = 30, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

-- gone: its connection was closed from its side. Its process is dead, unless it comes back soon.
-- preparing: what the last report says is being made ready; it has not started and is not lost.
ALTER TABLE worker
  ADD COLUMN gone         boolean NOT NULL DEFAULT false,
  ADD COLUMN preparing    uuid[] NOT NULL DEFAULT '{}',
  ADD COLUMN free_slots   int,
  ADD COLUMN cpu_percent  real,
  ADD COLUMN capabilities text[] NOT NULL DEFAULT '{}',
  ADD CHECK (NOT gone OR state = 'DISCONNECTED');

-- strict: a lost attempt must have ended, by its lease, before the next may start: not before fenced_until, whatever
-- became of the task meanwhile.
ALTER TABLE task
  ADD COLUMN crash_count smallint NOT NULL DEFAULT 0,
  ADD COLUMN strict      boolean NOT NULL DEFAULT false,
  ADD COLUMN fenced_until timestamptz,
  ADD COLUMN deadline_at timestamptz;
CREATE INDEX task_deadline ON task (deadline_at)
  WHERE deadline_at IS NOT NULL
    AND state IN ('WAITING', 'PENDING', 'APPROVAL_REQUIRED', 'SCHEDULED', 'DISPATCHED', 'RUNNING', 'DEFERRED', 'BLOCKED');
-- Waits that nobody else looks at: for a person, for an event.
CREATE INDEX task_awaiting ON task (state_since) WHERE state IN ('APPROVAL_REQUIRED', 'DEFERRED', 'BLOCKED');

-- The planner could not deal with its run, and looks at it again later.
ALTER TABLE mark ADD COLUMN postponed boolean NOT NULL DEFAULT false;

-- When a run was found open with nothing going on in it, and planned again.
ALTER TABLE run ADD COLUMN orphan_noted_at timestamptz;

-- One row for each recovery: of a task, or of a run (then task_id is null).
CREATE TABLE recovery (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind             text NOT NULL,
  task_id          uuid,
  run_id           uuid,
  dispatch_id      uuid,
  worker_id        uuid,
  last_sign_at     timestamptz NOT NULL,
  detected_at      timestamptz NOT NULL,
  promised_ms      bigint NOT NULL,
  running_again_at timestamptz,
  closed           boolean NOT NULL DEFAULT false
);
CREATE INDEX recovery_open ON recovery (task_id) WHERE NOT closed;
CREATE INDEX recovery_newest ON recovery (detected_at);

-- What a person should look at.
CREATE TABLE alert (
  id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind   text NOT NULL,
  detail text NOT NULL,
  at     timestamptz NOT NULL
);
CREATE INDEX alert_newest ON alert (at);
