SELECT t.id, t.name, t.state, t.queue_id, t.priority, t.state_since, t.not_before, t.lease_ends_at, t.dispatch_id IS NOT NULL AS tried,
       t.run_id AS run, u.reason AS unserved_reason, u.detail AS unserved_detail, u.since AS unserved_since
FROM task t
LEFT JOIN unserved_queue u ON u.queue_id = t.queue_id AND CAST(t.state AS text) = 'SCHEDULED'
WHERE t.state IN ('WAITING', 'PENDING', 'APPROVAL_REQUIRED', 'SCHEDULED', 'DEFERRED', 'BLOCKED')
  AND t.id = :id                                          --? id
  AND t.run_id = :run AND CAST(t.state AS text) <> 'WAITING'   --? run
ORDER BY t.priority DESC, t.id
LIMIT :limit
