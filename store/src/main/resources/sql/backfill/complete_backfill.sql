UPDATE backfill
SET state = 'COMPLETED', ended_at = belay_now()
WHERE id = :id AND state = 'RUNNING' AND next_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM run WHERE run.backfill_id = :id AND run.state IN ('QUEUED', 'RUNNING'))
