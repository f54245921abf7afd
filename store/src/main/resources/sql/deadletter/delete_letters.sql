-- Rows that somebody holds stay for the next batch. Answers how many of them nobody had retried.
WITH old AS MATERIALIZED (
  SELECT id
  FROM dead_letter
  WHERE created_at < belay_now() - make_interval(secs => :age_seconds)
  ORDER BY created_at
  LIMIT :max
  FOR UPDATE SKIP LOCKED
), removed AS (
  DELETE FROM dead_letter USING old WHERE dead_letter.id = old.id
  RETURNING dead_letter.retried_as
)
SELECT count(*), count(*) FILTER (WHERE retried_as IS NULL) AS open
FROM removed
