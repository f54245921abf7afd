-- Under the lock of the task. A step that begins and ends in the same state.
WITH changed AS (
  UPDATE task
  SET priority = :priority
  WHERE id = :id AND state = CAST(:state AS task_state) AND ended_at IS NULL
  RETURNING id, fencing_token, state
)
INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
SELECT id, fencing_token, state, state, :reason, :actor, belay_now()
FROM changed
