-- A note may come in every state. The row is found by its id alone, so a writer that this statement waits for changes nothing here.
-- The history shows it as a remark: a step that begins and ends in the same state. Nothing may follow a usual end, which is derived.
WITH noted AS (
  UPDATE task
  SET note = :note
  WHERE id = :id AND state = ANY (enum_range(CAST(NULL AS task_state)))
  RETURNING id, fencing_token, state, reason
), steps AS (
  INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
  SELECT id, fencing_token, state, state, :reason, :actor, belay_now()
  FROM noted
  WHERE NOT (state = 'SUCCEEDED' AND reason = 'exit_code: 0')
)
SELECT id FROM noted
