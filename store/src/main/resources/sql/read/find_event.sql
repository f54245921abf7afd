SELECT e.id, e.tenant, e.name, e.key, e.data, e.source, e.received_at, e.received_by, e.run_id, e.depth
FROM event e
WHERE e.id = :event
