SELECT name, description, weight, max_running, max_waiting, submit_max, submit_per_ms, lower(declared_in) AS declared_in, version,
       changed_at, changed_by
FROM tenant
WHERE true
  AND name > :cursor   --? cursor
  AND name = :name   --? name
ORDER BY name
LIMIT :limit
