-- One row for each periodic job of the servers. A replica runs a job only while it holds the lease.
-- token rises with each acquisition. Each batch of the job compares it under a lock (lease/fence_lease).
-- acquired_at and renewed_at stay after the end: they then tell when the last run began.
-- next_due_at is the beginning of the period that nobody has finished yet.
-- done_at is the last end of a run with the outcome done; created_at replaces it until then.
CREATE TABLE job_lease (
  name        text PRIMARY KEY,
  token       bigint NOT NULL CHECK (token >= 0),
  holder      text,
  acquired_at timestamptz,
  renewed_at  timestamptz,
  expires_at  timestamptz,
  ttl_ms      bigint NOT NULL CHECK (ttl_ms > 0),
  next_due_at timestamptz NOT NULL,
  finished_at timestamptz,
  outcome     text CHECK (outcome IN ('done', 'failed', 'abandoned')),
  done_at     timestamptz,
  failures    integer NOT NULL CHECK (failures >= 0),
  created_at  timestamptz NOT NULL,
  CHECK ((holder IS NULL) = (expires_at IS NULL)),
  CHECK ((token = 0) = (acquired_at IS NULL)),
  CHECK ((acquired_at IS NULL) = (renewed_at IS NULL)),
  CHECK ((finished_at IS NULL) = (outcome IS NULL))
) WITH (fillfactor = 30, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
