-- The workers that could not start a task which waits again, as dispatch/read_candidates tells the leader.
SELECT worker_id, max(attempt_ended_at) AS refused_at
FROM (SELECT worker_id, attempt_ended_at
      FROM task
      WHERE state = 'SCHEDULED' AND end_reason LIKE 'dispatch_failed: %'
        AND attempt_ended_at > belay_now() - make_interval(secs => :refused_seconds)
      ORDER BY attempt_ended_at DESC
      LIMIT :limit) AS refused
GROUP BY worker_id
