-- Due at once, or at the time of its submit if that has not come: then the leader passes it through admission. What it needs is believed to be there again, so its retries begin anew.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), unblocked AS (
  UPDATE task
  SET state = 'PENDING', reason = :reason, state_since = clock.now, unavailable_count = 0,
      not_before = greatest(clock.now, CASE WHEN task.dispatch_id IS NULL THEN task.not_before END)
  FROM clock
  WHERE task.id = :id AND CAST(task.state AS text) = 'BLOCKED'
  RETURNING task.id, task.run_id, task.fencing_token, task.state
), feeds AS (
  INSERT INTO feed (tasks, runs, task_states)
  SELECT array_agg(id), array_agg(run_id), array_agg(state)
  FROM unblocked
  HAVING count(*) > 0
)
INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
SELECT unblocked.id, unblocked.fencing_token, 'BLOCKED', unblocked.state, :reason, :actor, clock.now
FROM unblocked, clock
