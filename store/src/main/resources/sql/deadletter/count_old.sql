SELECT count(*), count(*) FILTER (WHERE retried_as IS NULL) AS open
FROM dead_letter
WHERE created_at < belay_now() - make_interval(secs => :age_seconds)
