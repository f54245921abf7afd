-- The tokens of a rate limit. A key without a row has a full bucket, so a row that was not used for longer than any bucket takes to fill
-- may go. filled_at is the last time by the database's clock at which it was filled, which may be later than now after a step back. held:
-- those that the leader took and may not have spent then.
CREATE TABLE rate_bucket (
  tenant    text NOT NULL,
  key       text NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
  tokens    float8 NOT NULL CHECK (tokens >= 0),
  held      int NOT NULL CHECK (held >= 0),
  filled_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, key)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
