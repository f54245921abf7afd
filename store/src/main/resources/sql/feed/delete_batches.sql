-- complete: readers have passed no batch above it, so none of them is deleted. The oldest batches have the lowest ids, so
-- no index on the time is needed.
WITH deleted AS (
  DELETE FROM feed
  WHERE id IN (SELECT oldest.id
               FROM (SELECT id, at FROM feed WHERE id <= :complete ORDER BY id LIMIT :limit) AS oldest
               WHERE oldest.at < belay_now() - make_interval(secs => :retention_seconds))
  RETURNING id
), noted AS (
  UPDATE feed_trim
  SET up_to = greatest(feed_trim.up_to, newest.id)
  FROM (SELECT max(id) AS id FROM deleted) AS newest
  WHERE newest.id IS NOT NULL
)
SELECT count(*) FROM deleted
