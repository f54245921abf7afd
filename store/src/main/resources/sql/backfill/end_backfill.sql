-- Its cursor stays where it was: the instants from there on were not decided.
UPDATE backfill
SET state = 'CANCELLED', ended_at = belay_now(), reason = :reason
WHERE id = :id AND state = ANY (CAST(:states AS text[]))
