SELECT version
FROM routing_version
