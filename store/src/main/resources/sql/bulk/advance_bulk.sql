-- With a rate, items that changed put the next ones off. A late transaction makes up for a quarter of a second at most.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
)
UPDATE bulk_operation b
SET cursor = :to, matched = b.matched + :changed + :refused, changed = b.changed + :changed, refused = b.refused + :refused,
    reasons = CASE WHEN :refused = 0 THEN b.reasons
                   ELSE (SELECT jsonb_object_agg(word, n)
                         FROM (SELECT word, sum(n) AS n
                               FROM (SELECT key AS word, CAST(value AS bigint) AS n FROM jsonb_each_text(b.reasons)
                                     UNION ALL
                                     SELECT word, n FROM unnest(CAST(:words AS text[]), CAST(:counts AS int[])) AS r (word, n)) AS all_of
                               GROUP BY word) AS added) END,
    refusals = jsonb_path_query_array(b.refusals || CAST(:refusals AS jsonb), '$[0 to 19]'),
    due_at = CASE WHEN b.rate IS NOT NULL
                  THEN greatest(coalesce(b.due_at, clock.now), clock.now - interval '250 milliseconds')
                       + make_interval(secs => :changed / b.rate) END
FROM clock
WHERE b.id = :id AND b.state = 'RUNNING' AND b.cursor IS NOT DISTINCT FROM CAST(:from AS uuid)
