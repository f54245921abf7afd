-- The change feed: one row for each statement that changed the states of tasks or of runs, written by that statement. id is
-- drawn while the changed rows are locked, after the transaction has its xid (see store.feed). Rows are only inserted, read
-- by id, and deleted when they are old.
-- A row about tasks has their runs, null for a task without one. A row about runs has no tasks.
CREATE TABLE feed (
  id          bigint GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
  at          timestamptz NOT NULL DEFAULT belay_now(),
  tasks       uuid[],
  runs        uuid[] NOT NULL,
  task_states task_state[],
  run_states  run_state[],
  CHECK ((tasks IS NULL) = (task_states IS NULL) AND (tasks IS NULL) = (run_states IS NOT NULL)),
  CHECK (cardinality(runs) > 0 AND cardinality(runs) = cardinality(coalesce(tasks, runs))),
  CHECK (cardinality(runs) = coalesce(cardinality(task_states), cardinality(run_states)))
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.2,
        toast.autovacuum_vacuum_scale_factor = 0.05);

-- Ids hardly compress: trying costs more than it saves.
ALTER TABLE feed ALTER COLUMN tasks SET STORAGE EXTERNAL, ALTER COLUMN runs SET STORAGE EXTERNAL,
                 ALTER COLUMN task_states SET STORAGE EXTERNAL, ALTER COLUMN run_states SET STORAGE EXTERNAL;

-- One row. up_to: the highest id that retention has deleted.
CREATE TABLE feed_trim (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  up_to     bigint NOT NULL DEFAULT 0
);
INSERT INTO feed_trim DEFAULT VALUES;
