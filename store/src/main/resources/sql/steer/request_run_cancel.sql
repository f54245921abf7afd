WITH asked AS (
  UPDATE run
  SET cancel_requested_at = belay_now(), cancel_requested_by = :actor
  WHERE id = :run AND state IN ('QUEUED', 'RUNNING') AND cancel_requested_at IS NULL AND timed_out_at IS NULL
  RETURNING id
), marks AS (
  INSERT INTO mark (run_id) SELECT id FROM asked
)
SELECT id FROM asked
