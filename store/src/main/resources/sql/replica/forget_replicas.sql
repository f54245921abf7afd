DELETE FROM replica
WHERE seen_at < belay_now() - make_interval(secs => :age_seconds)
