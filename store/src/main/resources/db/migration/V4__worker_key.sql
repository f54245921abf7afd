-- Who a worker id belongs to. The first hello with an id sets its key; every later one must present it. Only the SHA-256 of
-- the key is kept. A row outlives that of its worker, so that an id that was removed or forgotten cannot be taken by another.
-- session_number: counts the processes of the worker, in its own folder; no clock orders them.
CREATE TABLE worker_key (
  worker_id      uuid PRIMARY KEY,
  key_hash       bytea NOT NULL CHECK (length(key_hash) = 32),
  name           text NOT NULL,
  session_id     uuid NOT NULL,
  session_number bigint NOT NULL,
  connection     bigint NOT NULL,
  first_seen_at  timestamptz NOT NULL,
  last_hello_at  timestamptz NOT NULL,
  revoked_at     timestamptz,
  revoked_by     text,
  CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
);
CREATE INDEX worker_key_name ON worker_key (name);
