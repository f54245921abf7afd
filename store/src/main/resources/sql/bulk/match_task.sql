(t.tenant = :tenant AND t.state = ANY (CAST(:states AS task_state[]))
  AND t.created_at <= :requested_at AND (t.ended_at IS NULL OR t.ended_at <= :requested_at)
  AND (SELECT r.workflow FROM run r WHERE r.id = t.run_id) = :workflow --? workflow
  AND t.run_id = :run --? run
  AND t.pool = :pool --? pool
  AND t.name = :name --? name
  AND (SELECT CAST(p.labels AS jsonb) FROM task_payload p WHERE p.task_id = t.id) @> CAST(:labels AS jsonb) --? labels
  AND t.created_at >= :since --? since
  AND t.created_at < :before --? before
)
