-- The newest ones, as many as fit: the last event of the list is always there. The others are never sent to the server.
WITH given AS MATERIALIZED (
  SELECT input.number, CAST(event.data AS text) AS data
  FROM unnest(CAST(:events AS uuid[])) WITH ORDINALITY AS input (id, number)
  JOIN event ON event.id = input.id
), summed AS (
  SELECT number, data, sum(length(data)) OVER (ORDER BY number DESC) AS chars,
         row_number() OVER (ORDER BY number DESC) AS place
  FROM given
)
SELECT data
FROM summed
WHERE chars <= :chars_max OR place = 1
ORDER BY number
