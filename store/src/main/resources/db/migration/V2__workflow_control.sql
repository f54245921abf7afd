-- What is in force for a workflow, whatever the version of a run: one row, made with its first version.
CREATE TABLE workflow_control (
  tenant     text NOT NULL,
  name       text NOT NULL,
  max_active int CHECK (max_active > 0),
  paused_at  timestamptz,
  paused_by  text,
  PRIMARY KEY (tenant, name),
  CHECK ((paused_at IS NULL) = (paused_by IS NULL))
) WITH (fillfactor = 50);
INSERT INTO workflow_control (tenant, name)
SELECT DISTINCT tenant, name FROM workflow;

-- Counts the RUNNING and orders the QUEUED runs of a workflow.
CREATE INDEX run_open_of_workflow ON run (tenant, workflow, state, id) WHERE state IN ('QUEUED', 'RUNNING');

-- A QUEUED run with a reason was held: it has no mark until it is released. Without one it has a mark.
CREATE INDEX run_held ON run (tenant, workflow, id) WHERE state = 'QUEUED' AND reason IS NOT NULL;
