-- The unfinished tasks that this one depends on, named as in its workflow.
SELECT needed.name
FROM task me
JOIN run r ON r.id = me.run_id
JOIN workflow w ON w.id = r.workflow_id
CROSS JOIN LATERAL (
  SELECT on_task #>> '{}' AS name, place
  FROM jsonb_path_query(w.spec, '$.tasks[*] ? (@.name == $me).depends_on[*]', jsonb_build_object('me', me.name))
       WITH ORDINALITY AS d (on_task, place)
) AS needed
LEFT JOIN task t ON t.run_id = me.run_id AND t.name = needed.name AND t.map_index = -1
WHERE me.id = :id AND t.ended_at IS NULL
ORDER BY needed.place
LIMIT :limit
