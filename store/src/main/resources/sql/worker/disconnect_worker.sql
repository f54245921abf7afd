UPDATE worker
SET state = 'DISCONNECTED', disconnected_at = belay_now(), gone = :gone, drained = state = 'DRAINING'
WHERE id = :worker AND session_id = :session AND connection = :connection AND state IN ('CONNECTED', 'DRAINING')
