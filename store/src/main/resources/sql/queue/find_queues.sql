-- Those that were used lately: the others are interned again, which notes that they are in use.
SELECT id, encode(hash, 'hex') AS hash
FROM task_queue
WHERE hash IN (SELECT decode(one, 'hex') FROM unnest(CAST(:hashes AS text[])) AS one)
  AND used_at > belay_now() - interval '1 day'
