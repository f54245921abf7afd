-- A part of statements with a clock: when a replica was last able to write. The row of a dead replica may be of the future, when
-- somebody set the clock back: it hides no outage. When all rows are, nobody knows whether there was one: it looks like one.
SELECT coalesce(max(replica.seen_at) FILTER (WHERE replica.seen_at <= now),
                CASE WHEN count(replica.name) = 0 THEN to_timestamp(0)
                     ELSE now - make_interval(secs => :gap_seconds + 1) END) AS seen_at
FROM clock LEFT JOIN replica ON true
GROUP BY now
