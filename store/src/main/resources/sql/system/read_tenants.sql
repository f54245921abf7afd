SELECT name, description, weight, max_running, max_waiting, submit_max, submit_per_ms
FROM tenant
