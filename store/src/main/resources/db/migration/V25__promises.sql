-- timeout_at: set at each start of a run that may only be RUNNING for so long. timed_out_at: that passed, and its open tasks end.
-- deadline_at: set when the run is created or retried. deadline_alerted_at: that passed before the run ended, and people know.
ALTER TABLE run
  ADD COLUMN timeout_at          timestamptz,
  ADD COLUMN timed_out_at        timestamptz,
  ADD COLUMN deadline_at         timestamptz,
  ADD COLUMN deadline_alerted_at timestamptz,
  ADD CHECK (timed_out_at IS NULL OR timeout_at IS NOT NULL),
  ADD CHECK (timed_out_at IS NULL OR cancel_requested_at IS NULL),
  ADD CHECK (deadline_alerted_at IS NULL OR deadline_at IS NOT NULL);

-- Each holds only what may become due, so that history costs nothing.
CREATE INDEX run_timeout ON run (timeout_at) 
  WHERE state = 'RUNNING' AND timeout_at IS NOT NULL AND timed_out_at IS NULL AND cancel_requested_at IS NULL;
CREATE INDEX run_deadline ON run (deadline_at)
  WHERE state IN ('QUEUED', 'RUNNING') AND deadline_at IS NOT NULL AND deadline_alerted_at IS NULL;
CREATE INDEX trigger_version_check ON trigger_version (due_at) WHERE kind = 'expect_by' AND due_at IS NOT NULL;

-- For expect_by: did a run succeed between two checks?
CREATE INDEX run_succeeded ON run (tenant, workflow, ended_at) WHERE state = 'SUCCEEDED';

-- For belay lateness.
CREATE INDEX run_promised ON run (ended_at) WHERE timeout_at IS NOT NULL OR deadline_at IS NOT NULL;
CREATE INDEX run_deadline_missed ON run (deadline_alerted_at) WHERE deadline_alerted_at IS NOT NULL;
