-- What workers said of themselves when they connected.
SELECT worker.id, worker.session_id, worker.connection, worker.name, worker.pools, worker.capabilities, worker.slots, worker.memory_bytes,
       worker.cpu_millis, label.names AS label_names, label.texts AS label_values
FROM worker
CROSS JOIN LATERAL (
  SELECT coalesce(array_agg(key), '{}') AS names, coalesce(array_agg(value), '{}') AS texts
  FROM jsonb_each_text(worker.labels)
) AS label
WHERE worker.id = ANY (CAST(:ids AS uuid[]))
