-- Done: the next period begins at the first point of the job's grid after now. Failed: soon, then later and later, at most a
-- period from now. Abandoned: the period is not done, so the job stays due.
UPDATE job_lease
SET holder = NULL, expires_at = NULL, finished_at = now, outcome = :outcome,
    done_at = CASE WHEN :outcome = 'done' THEN now ELSE done_at END,
    failures = CASE :outcome WHEN 'done' THEN 0 WHEN 'failed' THEN failures + 1 ELSE failures END,
    next_due_at = CASE :outcome
      WHEN 'done' THEN next_due_at
        + (floor(extract(epoch FROM now - next_due_at) * 1000 / :period_ms) + 1) * :period_ms * interval '1 millisecond'
      WHEN 'failed' THEN now + least(:period_ms, 1000 * power(2, least(failures, 20))) * interval '1 millisecond'
      ELSE next_due_at END
FROM (SELECT belay_now() AS now) AS clock
WHERE name = :name AND holder = :holder AND token = :token
