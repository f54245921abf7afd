-- Under the lock of the task. A step that begins and ends in the same state.
INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
SELECT id, fencing_token, state, state, :reason, :actor, belay_now()
FROM task
WHERE id = :id AND state = CAST(:state AS task_state)
