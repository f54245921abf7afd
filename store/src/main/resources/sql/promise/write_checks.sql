-- The cursor, the row of the ledger and the alert of an instant, together and once.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), input AS (
  SELECT version, at, until_at, next_at, reason, alert
  FROM unnest(CAST(:versions AS uuid[]), CAST(:ats AS timestamptz[]), CAST(:untils AS timestamptz[]), CAST(:nexts AS timestamptz[]),
              CAST(:reasons AS text[]), CAST(:alerts AS text[]))
       AS i (version, at, until_at, next_at, reason, alert)
  ORDER BY version
), moved AS (
  UPDATE trigger_version v
  SET next_at = input.next_at, due_at = input.next_at
  FROM input
  WHERE v.id = input.version AND v.kind = 'expect_by' AND v.next_at = input.at AND v.until_at IS NOT DISTINCT FROM input.until_at
  RETURNING v.id, v.trigger_id, input.at, input.reason, input.alert
), fires AS (
  INSERT INTO fire (trigger_id, at, due_at, outcome, reason, decided_at)
  SELECT trigger_id, at, at, 'checked', reason, now
  FROM moved, clock
  ON CONFLICT (trigger_id, at) DO NOTHING
  RETURNING trigger_id, at
), alerts AS (
  INSERT INTO alert (kind, detail, at)
  SELECT 'run_missing', moved.alert, clock.now
  FROM moved JOIN fires ON fires.trigger_id = moved.trigger_id AND fires.at = moved.at, clock
  WHERE moved.alert IS NOT NULL
  ORDER BY moved.id
)
SELECT id FROM moved
