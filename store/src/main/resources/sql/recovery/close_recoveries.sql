-- Looks at some open recoveries in task order, so one that stays open delays no other. Reads the history only when the
-- task was dispatched again.
WITH looked AS MATERIALIZED (
  SELECT id, task_id, dispatch_id, detected_at
  FROM recovery
  WHERE NOT closed AND task_id > :after
  ORDER BY task_id
  LIMIT :max
  FOR UPDATE SKIP LOCKED
), done AS (
  SELECT looked.id, again.at
  FROM looked
  LEFT JOIN task ON task.id = looked.task_id
  LEFT JOIN LATERAL (
    SELECT history.at
    FROM history
    WHERE history.task_id = looked.task_id AND history.from_state = 'DISPATCHED' AND history.to_state = 'RUNNING' AND history.at >= looked.detected_at
      AND task.dispatch_id IS DISTINCT FROM looked.dispatch_id
    ORDER BY history.id
    LIMIT 1
  ) AS again ON true
  WHERE again.at IS NOT NULL OR task.ended_at IS NOT NULL OR task.id IS NULL
), closing AS (
  UPDATE recovery
  SET running_again_at = done.at, closed = true
  FROM done
  WHERE recovery.id = done.id AND NOT recovery.closed
)
SELECT task_id FROM looked ORDER BY task_id
