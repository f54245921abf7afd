SELECT id FROM run WHERE backfill_id = :id AND state IN ('QUEUED', 'RUNNING') ORDER BY id
