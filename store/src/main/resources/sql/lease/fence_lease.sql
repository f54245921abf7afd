-- The first statement of each batch. KEY SHARE: a renewal passes, and the next holder's FOR UPDATE (acquire_lease) waits for
-- the end of the batch. An expired lease lets no new batch in, so the next holder waits for one batch at most.
SELECT token
FROM job_lease
WHERE name = :name AND holder = :holder AND token = :token AND expires_at > belay_now()
FOR KEY SHARE
