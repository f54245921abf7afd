-- The planner ends their tasks and then the runs. Locks runs in id order, as every batch does. Compares all again behind the lock: a
-- run may have ended, and even have started again.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), due AS MATERIALIZED (
  SELECT id
  FROM run, clock
  WHERE timeout_at <= now AND state = 'RUNNING' AND timed_out_at IS NULL AND cancel_requested_at IS NULL
  ORDER BY timeout_at
  LIMIT :max
), input AS (
  SELECT id FROM due ORDER BY id
), timed_out AS (
  UPDATE run
  SET timed_out_at = now
  FROM input, clock
  WHERE run.id = input.id AND run.state = 'RUNNING' AND run.timeout_at <= now AND run.timed_out_at IS NULL
    AND run.cancel_requested_at IS NULL
  RETURNING run.id, CAST(extract(epoch FROM now - run.timeout_at) AS float8) AS late
), marks AS (
  INSERT INTO mark (run_id)
  SELECT id FROM timed_out ORDER BY id
)
SELECT id, late FROM timed_out
