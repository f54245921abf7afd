-- When each promise is due next. Each minimum is the first row of a partial index.
SELECT CAST(extract(epoch FROM (SELECT min(timeout_at) FROM run
                                WHERE state = 'RUNNING' AND timeout_at IS NOT NULL AND timed_out_at IS NULL
                                  AND cancel_requested_at IS NULL) - now) AS float8) AS next_timeout,
       CAST(extract(epoch FROM (SELECT min(deadline_at) FROM run
                                WHERE state IN ('QUEUED', 'RUNNING') AND deadline_at IS NOT NULL
                                  AND deadline_alerted_at IS NULL) - now) AS float8) AS next_deadline,
       CAST(extract(epoch FROM (SELECT min(due_at) FROM trigger_version
                                WHERE kind = 'expect_by' AND due_at IS NOT NULL) - now) AS float8) AS next_check
FROM (SELECT belay_now() AS now) AS clock
