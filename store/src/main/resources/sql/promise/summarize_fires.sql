-- How late instants fired: first all of them, then by trigger, the worst first. An instant with a reason was paused when it was due.
-- Looks at the newest ones only, so that a long window of many triggers has a bound.
WITH measured AS MATERIALIZED (
  SELECT trigger_id, CAST(extract(epoch FROM decided_at - due_at) * 1000 AS bigint) AS late_ms
  FROM fire
  WHERE decided_at > belay_now() - :window_ms * interval '1 millisecond' AND outcome = 'fired' AND reason IS NULL
  ORDER BY decided_at DESC
  LIMIT :instants
), summed AS (
  SELECT trigger_id, count(*) AS fired,
         percentile_disc(0.5) WITHIN GROUP (ORDER BY late_ms) AS late_p50,
         percentile_disc(0.99) WITHIN GROUP (ORDER BY late_ms) AS late_p99,
         max(late_ms) AS late_worst,
         count(*) FILTER (WHERE late_ms > :promised_ms) AS late
  FROM measured
  GROUP BY GROUPING SETS ((), (trigger_id))
)
SELECT t.tenant, t.workflow, t.name, s.fired, s.late_p50, s.late_p99, s.late_worst, s.late
FROM summed s
LEFT JOIN trigger t ON t.id = s.trigger_id
ORDER BY s.trigger_id IS NOT NULL, s.late_worst DESC, t.tenant, t.workflow, t.name
LIMIT :limit + 1
