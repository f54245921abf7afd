-- "I can write." After its own gap a replica does not know its workers' silence; after a gap of all, none does.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), last AS MATERIALIZED (
  --< replica/read_last_seen
), outages AS (
  INSERT INTO outage (began_at, ended_at)
  SELECT last.seen_at, now
  FROM last
  CROSS JOIN clock
  LEFT JOIN replica own ON own.name = :name
  WHERE last.seen_at < now - make_interval(secs => :gap_seconds)
     -- The clock was set back during the outage and hides it, but this replica lived through it, and nobody has written since.
     OR (:away_seconds > :gap_seconds AND last.seen_at < own.seen_at + make_interval(secs => :gap_seconds / 2))
  ON CONFLICT (began_at) DO NOTHING
), future AS (
  -- Signs from before the clock was set back. Once their time has come, they would hide an outage.
  UPDATE replica
  SET seen_at = now
  FROM clock
  WHERE name IN (SELECT name FROM replica, clock WHERE seen_at > now AND name <> :name FOR UPDATE OF replica SKIP LOCKED)
)
INSERT INTO replica (name, seen_at, writing_since)
SELECT :name, now, now FROM clock
ON CONFLICT (name) DO UPDATE
SET seen_at = EXCLUDED.seen_at,
    writing_since = CASE WHEN replica.seen_at < EXCLUDED.seen_at - make_interval(secs => :gap_seconds)
                         THEN EXCLUDED.writing_since ELSE replica.writing_since END
RETURNING seen_at
