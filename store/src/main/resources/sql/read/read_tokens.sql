-- Whole tokens that the bucket of a rate limit has now; no row when it is full.
SELECT CAST(floor(least(:size, tokens + greatest(0, extract(epoch FROM belay_now() - filled_at)) * CAST(:per_second AS float8))) AS int)
FROM rate_bucket
WHERE tenant = :tenant AND key = :key
