-- Tasks that are still PENDING although their wait is over or they wait for no time. Two reads of the index of timers: those whose
-- time has not come are never touched, however many there are.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), stuck AS MATERIALIZED (
  (SELECT task.id
   FROM task, clock
   WHERE task.state = 'PENDING'
     AND task.not_before <= now - make_interval(secs => :pending_seconds)
     AND task.state_since <= now - make_interval(secs => :pending_seconds)
   LIMIT :max)
  UNION ALL
  (SELECT task.id
   FROM task, clock
   WHERE task.state = 'PENDING' AND task.not_before IS NULL
     AND task.state_since <= now - make_interval(secs => :pending_seconds)
   LIMIT :max)
)
SELECT task.id, CAST(extract(epoch FROM clock.now - greatest(task.state_since, task.not_before)) AS float8) AS since_movable
FROM task JOIN stuck USING (id), clock
WHERE CAST(task.state AS text) = 'PENDING'
  AND (task.not_before IS NULL OR task.not_before <= clock.now - make_interval(secs => :pending_seconds))
  AND task.state_since <= clock.now - make_interval(secs => :pending_seconds)
ORDER BY task.id
FOR UPDATE OF task SKIP LOCKED
