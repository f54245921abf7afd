-- Locks tasks in id order, as every batch does. Comparing the state as text keeps the planner off a partial index.
WITH due AS MATERIALIZED (
  SELECT task.id
  FROM task
  WHERE task.state = 'PENDING' AND task.not_before <= belay_now()
  ORDER BY task.not_before
  LIMIT :max
)
SELECT task.id
FROM task JOIN due USING (id)
WHERE CAST(task.state AS text) = 'PENDING'
ORDER BY task.id
FOR UPDATE OF task
