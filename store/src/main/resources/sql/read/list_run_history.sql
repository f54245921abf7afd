SELECT h.from_state AS "from", h.to_state AS "to", h.reason, h.actor, NULL AS dispatch, h.at
FROM (SELECT id, from_state, to_state, reason, actor, at
      FROM run_history
      WHERE run_id = :run
      ORDER BY id DESC
      LIMIT :limit) h
ORDER BY h.id
