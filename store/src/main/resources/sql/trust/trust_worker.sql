WITH aside AS (
  SELECT id, name, set_aside_at, set_aside_reason
  FROM worker
  WHERE id = :worker AND set_aside_at IS NOT NULL
  FOR UPDATE
)
UPDATE worker
SET set_aside_at = NULL, set_aside_reason = NULL, fast_failures = 0, failed_at = NULL
FROM aside
WHERE worker.id = aside.id
RETURNING aside.name,
          to_char(aside.set_aside_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS since, aside.set_aside_reason AS reason
