-- The other sessions that hold the epoch lock. EPOCH_LOCK, as pg_locks splits it.
SELECT locks.pid, activity.application_name, pg_terminate_backend(locks.pid)
FROM pg_locks AS locks JOIN pg_stat_activity AS activity ON activity.pid = locks.pid
WHERE locks.locktype = 'advisory' AND locks.objsubid = 1
  AND locks.classid = CAST(x'62656C61' AS bigint) AND locks.objid = 2
  AND locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND locks.granted AND locks.pid <> pg_backend_pid()
