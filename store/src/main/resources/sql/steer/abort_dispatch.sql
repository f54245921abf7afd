-- The first reason wins.
UPDATE attempt
SET abort_reason = 'cancelled'
WHERE dispatch_id = :dispatch AND abort_reason IS NULL AND ended_at IS NULL
