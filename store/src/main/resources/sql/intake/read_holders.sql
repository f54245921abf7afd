SELECT t.id, t.state, t.dispatch_id IS NULL AS is_first
FROM unnest(CAST(:tasks AS uuid[])) AS wanted (id)
JOIN task t ON t.id = wanted.id
