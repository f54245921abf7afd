-- Under the locks of the tasks. Their state stays; a plan that was made before does not apply to the new generation.
UPDATE task
SET generation = generation + 1
WHERE id = ANY(CAST(:tasks AS uuid[])) AND CAST(state AS text) = 'WAITING'
