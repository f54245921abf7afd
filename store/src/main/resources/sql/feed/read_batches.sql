-- Always returns a row, so that up_to is of the same snapshot as the batches.
SELECT feed_trim.up_to, batch.id, batch.at, batch.tasks, batch.runs, batch.states, batch.workflows
FROM feed_trim
LEFT JOIN (
  SELECT feed.id, feed.at, feed.tasks, feed.runs,
         coalesce(CAST(feed.task_states AS text[]), CAST(feed.run_states AS text[])) AS states,
         (SELECT array_agg(run.workflow ORDER BY one.position)
          FROM unnest(feed.runs) WITH ORDINALITY AS one (id, position) LEFT JOIN run ON run.id = one.id) AS workflows
  FROM feed
  WHERE feed.id >= :from AND feed.id <= :complete
  ORDER BY feed.id
  LIMIT :max
) AS batch ON true
ORDER BY batch.id
