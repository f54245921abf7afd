-- Removes each run with its history, if its row is unchanged since it was read and no transaction holds it. All tasks of an ended
-- run have ended; without the run, nothing reopens them.
WITH input AS MATERIALIZED (
  SELECT id, row_version
  FROM unnest(CAST(:ids AS uuid[]), CAST(:row_versions AS bigint[])) AS i (id, row_version)
), unchanged AS MATERIALIZED (
  SELECT run.id
  FROM input JOIN run ON run.id = input.id
  WHERE CAST(CAST(run.xmin AS text) AS bigint) = input.row_version AND run.ended_at IS NOT NULL
  ORDER BY run.id
  FOR UPDATE OF run SKIP LOCKED
), removed AS (
  DELETE FROM run
  USING unchanged
  WHERE run.id = unchanged.id AND run.ended_at IS NOT NULL
  RETURNING run.id
), histories AS (
  DELETE FROM run_history USING removed WHERE run_history.run_id = removed.id
)
SELECT id FROM removed
