-- A holder whose lease is over is not shown: any replica may take it now.
SELECT name, CASE WHEN expires_at > now THEN holder END AS holder, token, acquired_at,
       CASE WHEN expires_at > now THEN renewed_at END AS renewed_at,
       CASE WHEN expires_at > now THEN expires_at END AS expires_at,
       finished_at, outcome, done_at, next_due_at
FROM job_lease CROSS JOIN (SELECT belay_now() AS now) AS clock
ORDER BY name
