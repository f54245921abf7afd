-- By its small index: the condition in parentheses is that of the index.
SELECT id, session_id, name, fast_failures, set_aside_at IS NOT NULL AS set_aside
FROM worker
WHERE (fast_failures > 0 OR set_aside_at IS NOT NULL)
  AND (set_aside_at IS NOT NULL
       OR (fast_failures >= :failures AND state = 'CONNECTED'
           AND failed_at > belay_now() - make_interval(secs => :window_seconds)))
ORDER BY set_aside_at IS NOT NULL, fast_failures DESC, id
LIMIT :limit
