SELECT h.from_state AS "from", h.to_state AS "to", h.reason, h.actor, h.dispatch_id AS dispatch, h.at
FROM (SELECT id, from_state, to_state, reason, actor, dispatch_id, at
      FROM history
      WHERE task_id = :task
      ORDER BY id DESC
      LIMIT :limit) h
ORDER BY h.id
