UPDATE worker
SET state = 'DISCONNECTED', disconnected_at = belay_now(), closed_by_peer = :closed_by_peer, drained = state = 'DRAINING'
WHERE id = :worker AND session_id = :session AND connection = :connection AND state IN ('CONNECTED', 'DRAINING')
