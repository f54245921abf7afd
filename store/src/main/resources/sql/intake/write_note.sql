-- A note may come in every state. The row is found by its id alone, so a writer that this statement waits for changes nothing here.
UPDATE task
SET note = :note
WHERE id = :id AND state = ANY (enum_range(CAST(NULL AS task_state)))
