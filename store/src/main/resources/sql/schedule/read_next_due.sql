SELECT min(due_at) AS due_at, belay_now() AS now
FROM trigger_version
WHERE kind = 'timed' AND due_at IS NOT NULL
