-- Tasks that are still PENDING although their wait is over or they wait for no time. Two reads of the index of timers, in its order,
-- which keeps older versions of PostgreSQL from reading the whole table: tasks whose time has not come are never touched, however
-- many there are.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now, belay_now() - make_interval(secs => :pending_seconds) AS since
), stuck AS MATERIALIZED (
  (SELECT task.id
   FROM task
   WHERE task.state = 'PENDING'
     AND task.not_before <= (SELECT since FROM clock)
     AND task.state_since <= (SELECT since FROM clock)
   ORDER BY task.not_before
   LIMIT :max)
  UNION ALL
  (SELECT task.id
   FROM task
   WHERE task.state = 'PENDING' AND task.not_before IS NULL
     AND task.state_since <= (SELECT since FROM clock)
   ORDER BY task.not_before
   LIMIT :max)
)
SELECT task.id, CAST(extract(epoch FROM clock.now - greatest(task.state_since, task.not_before)) AS float8) AS since_movable
FROM task JOIN stuck USING (id), clock
WHERE CAST(task.state AS text) = 'PENDING'
  AND (task.not_before IS NULL OR task.not_before <= clock.since)
  AND task.state_since <= clock.since
ORDER BY task.id
FOR UPDATE OF task SKIP LOCKED
