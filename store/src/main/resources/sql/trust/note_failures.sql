-- Guarded by the session: a worker that restarted starts anew.
UPDATE worker
SET fast_failures = :failures, failed_at = CASE WHEN :failures > 0 THEN belay_now() END
WHERE id = :worker AND session_id = :session
RETURNING set_aside_at IS NOT NULL AS set_aside
