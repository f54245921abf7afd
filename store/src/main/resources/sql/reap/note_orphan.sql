WITH noted AS (
  UPDATE run
  SET orphan_noted_at = belay_now()
  WHERE id = :run AND state IN ('QUEUED', 'RUNNING')
    AND NOT EXISTS (
      SELECT 1 FROM task
      WHERE task.run_id = run.id
        AND task.state IN ('PENDING', 'APPROVAL_REQUIRED', 'SCHEDULED', 'DISPATCHED', 'RUNNING', 'DEFERRED', 'BLOCKED'))
  RETURNING id, CAST(extract(epoch FROM belay_now() - greatest(
    coalesce(started_at, created_at), (SELECT max(state_since) FROM task WHERE run_id = run.id))) AS float8) AS since_sign
), marks AS (
  INSERT INTO mark (run_id)
  SELECT id FROM noted
)
SELECT id, since_sign FROM noted
