-- A deleted workflow keeps its versions, runs and history; nothing triggers a new run of it. Its open runs finish.
ALTER TABLE workflow_control
  ADD COLUMN deleted_at timestamptz,
  ADD COLUMN deleted_by text,
  ADD CHECK ((deleted_at IS NULL) = (deleted_by IS NULL));

-- The system file as it was last applied: at most one row.
CREATE TABLE system_file (
  singleton  boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  source     text NOT NULL,
  spec_hash  bytea NOT NULL,
  applied_at timestamptz NOT NULL,
  applied_by text NOT NULL
);

-- The pools that the system file declares. A worker may serve others: a declaration only tells a typing error from an intent.
CREATE TABLE pool (
  name        text PRIMARY KEY,
  description text
);
