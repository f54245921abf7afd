WITH active AS (
  SELECT t.id, t.dispatch_id, t.worker_id
  FROM task t
  WHERE t.run_id = :run
    AND t.state IN ('DISPATCHED', 'RUNNING')
    AND EXISTS (SELECT 1 FROM run r WHERE r.id = :run AND r.state IN ('QUEUED', 'RUNNING'))
  ORDER BY t.id
  FOR UPDATE OF t
)
UPDATE attempt
SET abort_reason = 'cancelled'
FROM active
WHERE attempt.dispatch_id = active.dispatch_id AND attempt.abort_reason IS NULL AND attempt.ended_at IS NULL
RETURNING active.worker_id
