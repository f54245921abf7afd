-- Removes each task with all its rows, if its row is unchanged since it was read and no transaction holds it. A task of a run goes
-- only after its run: a retry, which locks the run last, then finds no run and changes nothing.
WITH input AS MATERIALIZED (
  SELECT id, row_version
  FROM unnest(CAST(:ids AS uuid[]), CAST(:row_versions AS bigint[])) AS i (id, row_version)
), unchanged AS MATERIALIZED (
  SELECT task.id
  FROM input JOIN task ON task.id = input.id
  WHERE CAST(CAST(task.xmin AS text) AS bigint) = input.row_version
    AND task.ended_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM run WHERE run.id = task.run_id)
  ORDER BY task.id
  FOR UPDATE OF task SKIP LOCKED
), removed AS (
  DELETE FROM task
  USING unchanged
  WHERE task.id = unchanged.id AND task.ended_at IS NOT NULL
  RETURNING task.id
), payloads AS (
  DELETE FROM task_payload USING removed WHERE task_payload.task_id = removed.id
), attempts AS (
  DELETE FROM past_attempt USING removed WHERE past_attempt.task_id = removed.id
), steps AS (
  DELETE FROM step USING removed WHERE step.task_id = removed.id
), uniques AS (
  -- A submit that holds the row takes the key for its own task.
  DELETE FROM unique_task
  WHERE (tenant, key) IN (SELECT u.tenant, u.key
                          FROM unique_task u JOIN removed ON removed.id = u.task_id
                          WHERE u.until_at IS NULL
                          FOR UPDATE OF u SKIP LOCKED)
)
SELECT id FROM removed
