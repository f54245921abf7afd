-- Runs in the leader's transaction, behind the epoch lock: nobody else withdraws, but retention may delete a row that is full anyway.
-- A clock that was set back fills nothing for the time that it repeats, and nothing is taken away. What the leader holds is part of the
-- bucket until it is spent, so both together never have more than its size, and what would have flowed over while it was held is lost.
-- An earlier leader may have held it until the next one was elected. A clock that runs ahead of the leader's did so while it was held.
WITH clock AS MATERIALIZED (
  SELECT belay_now() AS now, leadership.since AS elected_at
  FROM leadership
), wanted AS MATERIALIZED (
  SELECT tenant, key, size, per_second, held, returned, wanted, since, held_for
  FROM unnest(CAST(:tenants AS text[]), CAST(:keys AS text[]), CAST(:sizes AS int[]), CAST(:rates AS float8[]), CAST(:held AS int[]),
              CAST(:returned AS int[]), CAST(:wanted AS int[]), CAST(:since AS float8[]), CAST(:held_for AS float8[]))
       AS i (tenant, key, size, per_second, held, returned, wanted, since, held_for)
), found AS MATERIALIZED (
  SELECT rate_bucket.tenant, rate_bucket.key, rate_bucket.tokens, rate_bucket.held, rate_bucket.filled_at
  FROM rate_bucket JOIN wanted USING (tenant, key)
  ORDER BY rate_bucket.tenant, rate_bucket.key
  FOR UPDATE OF rate_bucket
), passed AS MATERIALIZED (
  SELECT found.tenant, found.key, found.tokens, found.held,
         greatest(0, CAST(extract(epoch FROM clock.now - found.filled_at) AS float8)) AS elapsed,
         greatest(0, coalesce(CAST(extract(epoch FROM clock.elected_at - found.filled_at) AS float8), 0)) AS until_election
  FROM found, clock
), flowed AS MATERIALIZED (
  SELECT wanted.tenant, wanted.key,
         passed.tokens + wanted.returned + passed.elapsed * wanted.per_second
         - greatest(0, passed.tokens + passed.held - wanted.size
                       + wanted.per_second
                         * least(passed.elapsed,
                                 CASE WHEN wanted.since < 0 THEN passed.until_election
                                      ELSE wanted.held_for + greatest(0, passed.elapsed - wanted.since) END)) AS tokens
  FROM wanted JOIN passed USING (tenant, key)
), level AS MATERIALIZED (
  SELECT tenant, key, wanted.wanted, wanted.held,
         greatest(0, least(wanted.size - wanted.held, coalesce(flowed.tokens, wanted.size))) AS tokens
  FROM wanted LEFT JOIN flowed USING (tenant, key)
), granted AS MATERIALIZED (
  SELECT tenant, key, held, CAST(least(wanted, floor(tokens)) AS int) AS granted, tokens
  FROM level
), kept AS (
  INSERT INTO rate_bucket (tenant, key, tokens, held, filled_at)
  SELECT granted.tenant, granted.key, granted.tokens - granted.granted, granted.held + granted.granted, clock.now
  FROM granted, clock
  ORDER BY granted.tenant, granted.key
  ON CONFLICT (tenant, key) DO UPDATE SET tokens = EXCLUDED.tokens, held = EXCLUDED.held, filled_at = EXCLUDED.filled_at
)
SELECT tenant, key, granted, CAST(tokens - granted AS float8) AS tokens_left
FROM granted
