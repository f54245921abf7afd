-- A note follows the task through every state: it is written to the row that this statement has locked, in the state seen.
WITH seen AS (SELECT id, state FROM task WHERE id = :id FOR NO KEY UPDATE)
UPDATE task
SET note = :note
FROM seen
WHERE task.id = seen.id AND task.state = seen.state
