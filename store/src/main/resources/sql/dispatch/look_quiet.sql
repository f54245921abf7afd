-- Returns a row only when no run has changed and no task is due or eligible: the time until the next task is due. The order keeps the
-- planner on the index: where many tasks wait, EXISTS would read the table, with all finished rows in front of the first that waits.
SELECT CAST(extract(epoch FROM due.not_before - belay_now()) AS float8) AS seconds
FROM (SELECT min(not_before) AS not_before FROM task WHERE state IN ('PENDING', 'DEFERRED')) AS due
WHERE (due.not_before IS NULL OR due.not_before > belay_now())
  AND (SELECT queue_id FROM task WHERE state = 'SCHEDULED' ORDER BY queue_id LIMIT 1) IS NULL
  AND NOT EXISTS (SELECT FROM mark)
