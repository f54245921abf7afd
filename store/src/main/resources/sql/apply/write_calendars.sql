WITH wanted AS MATERIALIZED (
  SELECT name, CAST(spec AS jsonb) AS spec
  FROM unnest(CAST(:names AS text[]), CAST(:specs AS text[])) AS declared (name, spec)
), removed AS (
  DELETE FROM calendar WHERE name NOT IN (SELECT name FROM wanted)
)
INSERT INTO calendar (name, spec)
SELECT name, spec
FROM wanted
ON CONFLICT (name) DO UPDATE SET spec = EXCLUDED.spec
