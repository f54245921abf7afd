-- The other workers that share a pool with this one, of those that would get work if nobody were set aside.
SELECT count(*) FILTER (WHERE NOT set_aside AND NOT failing) AS well,
       count(*) FILTER (WHERE NOT set_aside AND failing) AS failing,
       count(*) FILTER (WHERE set_aside) AS set_aside
FROM (SELECT other.set_aside_at IS NOT NULL AS set_aside,
             other.fast_failures > 0
             AND other.failed_at > belay_now() - make_interval(secs => :window_seconds) AS failing
      FROM worker AS one
      JOIN worker AS other ON other.id <> one.id AND other.pools && one.pools
      WHERE one.id = :worker AND other.state = 'CONNECTED' AND other.trouble IS NULL
        AND other.last_seen_at > belay_now() - make_interval(secs => :silence_seconds)) AS others
