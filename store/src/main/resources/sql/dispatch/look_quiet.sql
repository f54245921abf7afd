-- Returns a row only when no run has changed and no task is due or eligible: the time until the next task is due.
SELECT CAST(extract(epoch FROM due.not_before - belay_now()) AS float8) AS seconds
FROM (SELECT min(not_before) AS not_before FROM task WHERE state IN ('PENDING', 'DEFERRED')) AS due
WHERE (due.not_before IS NULL OR due.not_before > belay_now())
  AND NOT EXISTS (SELECT FROM task WHERE state = 'SCHEDULED')
  AND NOT EXISTS (SELECT FROM mark)
