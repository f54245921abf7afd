-- "I can write." After a gap it cannot tell what its workers said meanwhile.
INSERT INTO replica (name, seen_at, writing_since)
SELECT :name, now, now FROM (SELECT belay_now() AS now) AS clock
ON CONFLICT (name) DO UPDATE
SET seen_at = EXCLUDED.seen_at,
    writing_since = CASE WHEN replica.seen_at < EXCLUDED.seen_at - make_interval(secs => :gap_seconds)
                         THEN EXCLUDED.writing_since ELSE replica.writing_since END
RETURNING seen_at
