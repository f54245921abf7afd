-- How many runs kept each promise in the window. The worst is the run that took longest beyond its limit.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now
), ended AS MATERIALIZED (
  SELECT run.id, run.workflow, run.ended_at, run.timeout_at, run.timed_out_at, run.deadline_at, run.deadline_alerted_at
  FROM run, clock
  WHERE run.ended_at > clock.now - :window_ms * interval '1 millisecond' AND (run.timeout_at IS NOT NULL OR run.deadline_at IS NOT NULL)
  ORDER BY run.ended_at DESC
  LIMIT :runs
), overdue AS MATERIALIZED (
  SELECT run.id, run.workflow, coalesce(run.ended_at, clock.now) - run.deadline_at AS over
  FROM run, clock
  WHERE run.deadline_alerted_at > clock.now - :window_ms * interval '1 millisecond' AND run.deadline_alerted_at IS NOT NULL
  ORDER BY run.deadline_alerted_at DESC
  LIMIT :runs
), checked AS MATERIALIZED (
  SELECT trigger_id, at, reason
  FROM fire, clock
  WHERE decided_at > clock.now - :window_ms * interval '1 millisecond' AND outcome = 'checked'
  ORDER BY decided_at DESC
  LIMIT :runs
)
SELECT 'timeout' AS promise,
       (SELECT count(*) FROM ended WHERE timeout_at IS NOT NULL AND timed_out_at IS NULL) AS kept,
       (SELECT count(*) FROM ended WHERE timed_out_at IS NOT NULL) AS broken,
       CAST(extract(epoch FROM worst.ended_at - worst.timeout_at) * 1000 AS bigint) AS worst_ms, worst.workflow, worst.id AS run
FROM (SELECT 1) AS one
LEFT JOIN (SELECT ended.* FROM ended WHERE timed_out_at IS NOT NULL ORDER BY ended_at - timeout_at DESC LIMIT 1) AS worst ON true
UNION ALL
SELECT 'deadline',
       (SELECT count(*) FROM ended WHERE deadline_at IS NOT NULL AND deadline_alerted_at IS NULL),
       (SELECT count(*) FROM overdue),
       CAST(extract(epoch FROM worst.over) * 1000 AS bigint), worst.workflow, worst.id
FROM (SELECT 1) AS one
LEFT JOIN (SELECT overdue.* FROM overdue ORDER BY over DESC LIMIT 1) AS worst ON true
UNION ALL
SELECT 'expect_by',
       (SELECT count(*) FROM checked WHERE reason LIKE 'met: %'),
       (SELECT count(*) FROM checked WHERE reason = 'missing'),
       CAST(NULL AS bigint), worst.workflow, CAST(NULL AS uuid)
FROM (SELECT 1) AS one
LEFT JOIN (SELECT t.workflow
           FROM checked JOIN trigger t ON t.id = checked.trigger_id
           WHERE checked.reason = 'missing'
           ORDER BY checked.at DESC
           LIMIT 1) AS worst ON true
