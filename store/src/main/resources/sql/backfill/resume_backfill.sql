UPDATE backfill SET state = 'RUNNING', reason = NULL WHERE id = :id AND state = 'PAUSED'
