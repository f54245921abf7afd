-- Guarded by the session: a worker that restarted starts anew; so does one that a person trusted since the last note.
UPDATE worker
SET fast_failures = :failures, failed_at = CASE WHEN :failures > 0 THEN belay_now() END
WHERE id = :worker AND session_id = :session AND set_aside_at IS NULL AND (:before = 0 OR fast_failures = :before)
