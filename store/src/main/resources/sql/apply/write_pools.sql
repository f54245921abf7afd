WITH wanted AS MATERIALIZED (
  SELECT name, description
  FROM unnest(CAST(:names AS text[]), CAST(:descriptions AS text[])) AS declared (name, description)
), removed AS (
  DELETE FROM pool WHERE name NOT IN (SELECT name FROM wanted)
)
INSERT INTO pool (name, description)
SELECT name, description
FROM wanted
ON CONFLICT (name) DO UPDATE SET description = EXCLUDED.description
