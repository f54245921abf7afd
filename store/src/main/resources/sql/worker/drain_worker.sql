UPDATE worker
SET state = 'DRAINING'
WHERE id = :worker AND session_id = :session AND connection = :connection AND state = 'CONNECTED'
