-- A note is allowed in every state: this statement locks the row and guards with the state it saw.
WITH seen AS (SELECT id, state FROM task WHERE id = :id FOR NO KEY UPDATE)
UPDATE task
SET note = :note
FROM seen
WHERE task.id = seen.id AND task.state = seen.state
