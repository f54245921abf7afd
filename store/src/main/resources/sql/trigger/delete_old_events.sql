-- Only events that every trigger has decided.
WITH old AS MATERIALIZED (
  SELECT id
  FROM event
  WHERE received_at < belay_now() - make_interval(secs => :retention_seconds)
    AND NOT EXISTS (SELECT
                    FROM event_fire
                    WHERE event_fire.event_id = event.id AND event_fire.outcome IN ('pending', 'waiting'))
  ORDER BY received_at
  LIMIT :limit
  FOR UPDATE SKIP LOCKED
), fires AS (
  DELETE FROM event_fire USING old WHERE event_fire.event_id = old.id
)
DELETE FROM event USING old WHERE event.id = old.id
