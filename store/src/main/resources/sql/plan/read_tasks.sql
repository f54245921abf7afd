SELECT run_id, id, name, state
FROM task
WHERE run_id = ANY(CAST(:runs AS uuid[])) AND map_index = -1
