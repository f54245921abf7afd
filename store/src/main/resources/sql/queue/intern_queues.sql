-- All callers use the same order, so two of them cannot deadlock.
INSERT INTO task_queue (hash, spec, used_at)
SELECT decode(i.hash, 'hex'), CAST(i.spec AS json), belay_now()
FROM unnest(CAST(:hashes AS text[]), CAST(:specs AS text[])) AS i (hash, spec)
ORDER BY i.hash
ON CONFLICT (hash) DO UPDATE SET used_at = EXCLUDED.used_at
RETURNING id, encode(hash, 'hex') AS hash
