WITH gone AS (
  DELETE FROM mark
  WHERE id = ANY(CAST(:marks AS bigint[]))
  RETURNING run_id
)
INSERT INTO mark (run_id, postponed)
SELECT DISTINCT run_id, true
FROM gone
