WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), due AS MATERIALIZED (
  SELECT task.id
  FROM task, clock
  WHERE task.state = 'PENDING' AND task.not_before <= now
  ORDER BY task.not_before
  LIMIT :max
), locked AS MATERIALIZED (
  SELECT task.id
  FROM task JOIN due USING (id)
  WHERE CAST(task.state AS text) = 'PENDING'
  ORDER BY task.id
  FOR UPDATE OF task
), promoted AS (
  UPDATE task
  SET state = 'SCHEDULED', reason = 'due', state_since = now, not_before = NULL
  FROM locked, clock
  WHERE task.id = locked.id AND CAST(task.state AS text) = 'PENDING'
  RETURNING task.id
), histories AS (
  INSERT INTO history (task_id, from_state, to_state, reason, actor, at)
  SELECT id, 'PENDING', 'SCHEDULED', 'due', :actor, now
  FROM promoted, clock
)
SELECT count(*) AS promoted FROM promoted
