AND (task.not_before IS NULL OR task.not_before <= clock.now)
AND (task.lease_ends_at IS NULL OR task.lease_ends_at <= clock.sure)
AND task.id NOT IN (SELECT unnest(CAST(:except AS uuid[])))
