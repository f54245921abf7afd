-- How many of those that it looks at match, and the first of them.
WITH found AS MATERIALIZED (
  --< bulk/look_tasks
), sample AS (
  SELECT id, name, state FROM found WHERE matches ORDER BY id LIMIT :sample
)
SELECT (SELECT count(*) FROM found) AS looked, (SELECT count(*) FROM found WHERE matches) AS matched,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'state', state) ORDER BY id), '[]') FROM sample) AS sample
