-- A part of write_results and write_usual: the history of what they wrote. A dispatch that finished before its start was
-- written passes through RUNNING.
INSERT INTO history (task_id, from_state, to_state, reason, actor, dispatch_id, at)
SELECT id, from_state, to_state, reason, :actor, dispatch_id, at
FROM (
  SELECT id, from_state, CAST('RUNNING' AS task_state) AS to_state, 'started' AS reason, dispatch_id,
         started_at AS at, 1 AS step
  FROM written
  WHERE via_running
  UNION ALL
  SELECT id, CASE WHEN via_running THEN CAST('RUNNING' AS task_state) ELSE from_state END, to_state, reason,
         dispatch_id, CASE WHEN over THEN over_at ELSE started_at END, 2
  FROM written
) AS steps
ORDER BY id, step
