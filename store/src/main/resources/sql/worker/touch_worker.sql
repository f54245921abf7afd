UPDATE worker
SET last_seen_at = belay_now(), report_number = :number
WHERE id = :worker AND session_id = :session AND connection = :connection AND report_number < :number
