-- Waits for those who declare something at the moment, and holds up those who come later until the commit.
SELECT version
FROM routing_version
FOR SHARE
