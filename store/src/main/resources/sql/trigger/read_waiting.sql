SELECT fire.trigger_id, fire.event_id, fire.received_at, coalesce(event.depth, 0) AS depth
FROM event_fire fire
LEFT JOIN event ON event.id = fire.event_id
WHERE fire.outcome = 'waiting' AND fire.version_id = :version
ORDER BY fire.received_at, fire.event_id
LIMIT :max
