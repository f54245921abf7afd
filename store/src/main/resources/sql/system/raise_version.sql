-- Taken first by all who declare something, so they come one after the other.
UPDATE routing_version
SET version = version + 1
RETURNING version
