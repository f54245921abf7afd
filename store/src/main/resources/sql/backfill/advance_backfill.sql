UPDATE backfill
SET next_at = CAST(:to AS timestamptz), fired = fired + :fired, skipped = skipped + :skipped
WHERE id = :id AND state = 'RUNNING' AND next_at = CAST(:from AS timestamptz)
