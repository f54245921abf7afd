(t.tenant = :tenant AND t.state = ANY (CAST(:states AS run_state[]))
  AND t.created_at <= :requested_at AND (t.ended_at IS NULL OR t.ended_at <= :requested_at)
  AND t.workflow = :workflow --? workflow
  AND t.id = :run --? run
  AND t.created_at >= :since --? since
  AND t.created_at < :before --? before
)
