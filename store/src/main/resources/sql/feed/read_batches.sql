-- The events behind :index of the row :from, and those of later rows. One row may have 100,000 events: only as many as the
-- page has room for leave the database. Always returns a row, so that up_to is of the same snapshot as the events.
WITH batch AS MATERIALIZED (
  SELECT feed.id, feed.at, feed.tasks, feed.runs, feed.task_states, feed.run_states,
         CASE WHEN feed.id = :from THEN CAST(:index AS integer) ELSE 0 END AS passed,
         coalesce(cardinality(feed.task_states), cardinality(feed.run_states)) AS events
  FROM feed
  WHERE feed.id >= :from AND feed.id <= :complete
  ORDER BY feed.id
  LIMIT :batches
), placed AS (
  SELECT batch.*, count(*) OVER () AS found,
         :limit - coalesce(sum(greatest(batch.events - batch.passed, 0))
                           OVER (ORDER BY batch.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS room
  FROM batch
), bounded AS (
  SELECT placed.*, placed.passed + 1 AS first,
         CAST(least(placed.events, placed.passed + placed.room) AS integer) AS last
  FROM placed
  WHERE placed.room > 0
)
SELECT feed_trim.up_to, page.*
FROM feed_trim
LEFT JOIN (
  SELECT bounded.id, bounded.at, bounded.passed, bounded.found, bounded.last < bounded.events AS cut,
         bounded.tasks[bounded.first : bounded.last] AS tasks,
         bounded.runs[bounded.first : bounded.last] AS runs,
         coalesce(CAST(bounded.task_states[bounded.first : bounded.last] AS text[]),
                  CAST(bounded.run_states[bounded.first : bounded.last] AS text[])) AS states,
         (SELECT array_agg(run.workflow ORDER BY one.position)
          FROM unnest(bounded.runs[bounded.first : bounded.last]) WITH ORDINALITY AS one (id, position)
          LEFT JOIN run ON run.id = one.id) AS workflows
  FROM bounded
) AS page ON true
ORDER BY page.id
