-- Workers without tasks that have long been silent; sooner if another worker took their name, as after someone deleted
-- the state folder. A worker that returns joins again with its key. Their pools stay known for longer.
WITH gone AS (
  DELETE FROM worker
  WHERE (last_seen_at < belay_now() - make_interval(secs => :age_seconds)
         OR (state = 'DISCONNECTED' AND last_seen_at < belay_now() - make_interval(secs => :replaced_age_seconds)
             AND EXISTS (SELECT FROM worker AS other
                         WHERE other.name = worker.name AND other.id <> worker.id AND other.state <> 'DISCONNECTED'
                           AND other.connected_at > worker.disconnected_at)))
    AND NOT EXISTS (SELECT 1 FROM task WHERE task.worker_id = worker.id AND task.state IN ('DISPATCHED', 'RUNNING'))
  RETURNING pools, capabilities
), pools AS (
  SELECT name, array_remove(array_agg(DISTINCT capability), NULL) AS capabilities
  FROM gone
  CROSS JOIN unnest(gone.pools) AS name
  LEFT JOIN LATERAL unnest(gone.capabilities) AS capability ON true
  GROUP BY name
), kept AS (
  INSERT INTO former_pool (name, capabilities, left_at)
  SELECT name, capabilities, belay_now()
  FROM pools
  ON CONFLICT (name) DO UPDATE
  SET left_at = EXCLUDED.left_at,
      capabilities = ARRAY(SELECT DISTINCT unnest(former_pool.capabilities || EXCLUDED.capabilities))
)
SELECT count(*) FROM gone
