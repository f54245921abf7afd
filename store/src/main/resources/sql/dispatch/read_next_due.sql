SELECT extract(epoch FROM min(not_before) - belay_now()) AS seconds
FROM task
WHERE state IN ('PENDING', 'DEFERRED')
