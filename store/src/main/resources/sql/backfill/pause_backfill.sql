UPDATE backfill SET state = 'PAUSED', reason = :reason WHERE id = :id AND state = 'RUNNING'
