SELECT name, weight, max_running
FROM tenant
