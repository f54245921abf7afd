-- An instant with a reason was paused when it was due, and fired at the resume: it is not late.
SELECT clock.now, late.found, late.tenant, late.workflow, late.name, late.at, late.seconds
FROM (SELECT belay_now() AS now) AS clock
LEFT JOIN LATERAL (
  SELECT t.tenant, t.workflow, t.name, f.at, CAST(extract(epoch FROM f.decided_at - f.due_at) AS float8) AS seconds,
         count(*) OVER () AS found
  FROM fire f
  JOIN trigger t ON t.id = f.trigger_id
  WHERE f.decided_at > coalesce(CAST(:since AS timestamptz), clock.now - interval '1 minute') AND f.decided_at <= clock.now
    AND f.outcome = 'fired' AND f.reason IS NULL AND f.decided_at > f.due_at + :promised_ms * interval '1 millisecond'
  ORDER BY f.decided_at - f.due_at DESC
  LIMIT 1) AS late ON true
