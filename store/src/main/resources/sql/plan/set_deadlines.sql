-- For tasks of a run that starts again. Locks them in id order, as every batch does.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), input AS (
  SELECT id, deadline_ms
  FROM unnest(CAST(:ids AS uuid[]), CAST(:deadline_ms AS bigint[])) AS i (id, deadline_ms)
  ORDER BY id
)
UPDATE task
SET deadline_at = now + deadline_ms * interval '1 millisecond'
FROM input, clock
WHERE task.id = input.id AND task.state = 'WAITING'
