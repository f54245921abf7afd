-- Runs under the lock of the workflow's control row: none of these runs starts meanwhile.
WITH asked AS (
  UPDATE run
  SET cancel_requested_at = belay_now(), cancel_requested_by = :actor
  WHERE backfill_id = :id AND state = 'QUEUED' AND cancel_requested_at IS NULL
  RETURNING id
), marks AS (
  INSERT INTO mark (run_id) SELECT id FROM asked ORDER BY id
)
SELECT count(*) FROM asked
