-- One alert for each generation of a run, whoever asks: the column and the alert are written together.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), input AS (
  SELECT id, generation, detail
  FROM unnest(CAST(:ids AS uuid[]), CAST(:generations AS int[]), CAST(:details AS text[])) AS i (id, generation, detail)
  ORDER BY id
), alerted AS (
  UPDATE run
  SET deadline_alerted_at = now
  FROM input, clock
  WHERE run.id = input.id AND run.generation = input.generation AND run.state IN ('QUEUED', 'RUNNING')
    AND run.deadline_at <= now AND run.deadline_alerted_at IS NULL
  RETURNING run.id, input.detail
), alerts AS (
  INSERT INTO alert (kind, detail, at)
  SELECT 'run_deadline', detail, now
  FROM alerted, clock
  ORDER BY id
)
SELECT id FROM alerted
