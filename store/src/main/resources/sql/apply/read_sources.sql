-- As many sources, the smallest first, as fit into these bytes.
SELECT id, source
FROM (SELECT id, source, sum(octet_length(source)) OVER (ORDER BY octet_length(source), id) AS bytes
      FROM workflow
      WHERE id = ANY (CAST(:ids AS uuid[]))) AS sized
WHERE bytes <= :bytes_max
