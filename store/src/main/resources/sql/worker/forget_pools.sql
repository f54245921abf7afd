DELETE FROM former_pool
WHERE left_at < belay_now() - make_interval(secs => :age_seconds)
