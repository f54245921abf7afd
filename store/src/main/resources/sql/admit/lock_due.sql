-- Locks tasks in id order, as every batch does. Comparing the state as text keeps the planner off a partial index. Looks at the
-- time again behind the lock: the task may have been tried, and wait for another time. A time that is read once can be searched for
-- in the index; belay_now() itself would be compared with every timer that is not due.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), due AS MATERIALIZED (
  SELECT task.id
  FROM task
  WHERE task.state IN ('PENDING', 'DEFERRED') AND task.not_before <= (SELECT now FROM clock)
  ORDER BY task.not_before
  LIMIT :max
)
SELECT task.id, task.state, task.run_id, task.queue_id
FROM task JOIN due USING (id)
WHERE CAST(task.state AS text) IN ('PENDING', 'DEFERRED') AND task.not_before <= (SELECT now FROM clock)
ORDER BY task.id
FOR UPDATE OF task
