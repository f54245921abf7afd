-- The last task that a page of list_tasks looked at, when it looked at as many as it may.
SELECT task.id
FROM task
WHERE true
  AND task.id < :cursor                                           --? cursor
  AND task.run_id = :run                                          --? run
  AND task.state = CAST(:indexed_state AS task_state)             --? indexed_state
  AND task.state = ANY (CAST(:active_states AS task_state[]))     --? active_states
ORDER BY task.id DESC
OFFSET :scan - 1
LIMIT 1
