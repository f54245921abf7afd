-- Run under the exclusive epoch lock: no write of the former leader is under way.
UPDATE leadership
SET epoch = epoch + 1, leader = :leader, since = belay_now()
RETURNING epoch
