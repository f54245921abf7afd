(t.tenant = :tenant AND CASE WHEN t.retried_as IS NULL THEN 'OPEN' ELSE 'RETRIED' END = ANY (CAST(:states AS text[]))
  AND t.created_at <= :requested_at
  AND t.workflow = :workflow --? workflow
  AND t.run_id = :run --? run
  AND t.pool = :pool --? pool
  AND t.name = :name --? name
  AND t.reason = :reason --? reason
  AND t.topic = :topic --? topic
  AND t.fingerprint = :fingerprint --? fingerprint
  AND t.created_at >= :since --? since
  AND t.created_at < :before --? before
)
