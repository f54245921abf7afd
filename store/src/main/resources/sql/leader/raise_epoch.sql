-- Runs under the exclusive epoch lock: the former leader has no write in flight.
UPDATE leadership
SET epoch = epoch + 1, leader = :leader, since = belay_now()
RETURNING epoch
