DELETE FROM chain_fire
WHERE (trigger_id, upstream_run_id, generation) IN (
  SELECT trigger_id, upstream_run_id, generation
  FROM chain_fire
  WHERE outcome <> 'pending' AND decided_at < belay_now() - make_interval(secs => :retention_seconds)
  ORDER BY decided_at
  LIMIT :limit
  FOR UPDATE SKIP LOCKED)
