-- Guarded by the session that failed, and by its failures: a success or a person may have come between.
UPDATE worker
SET set_aside_at = belay_now(), set_aside_reason = :reason
WHERE id = :worker AND session_id = :session AND set_aside_at IS NULL AND fast_failures >= :failures
