UPDATE run
SET reason = held.reason
FROM unnest(CAST(:ids AS uuid[]), CAST(:reasons AS text[])) AS held (id, reason)
WHERE run.id = held.id AND run.state = 'QUEUED' AND run.reason IS DISTINCT FROM held.reason
