SELECT now, leadership.leader, replica.seen_at AS leader_seen_at,
       coalesce(replica.seen_at > now - make_interval(secs => :gap_seconds), false) AS leader_live
FROM (SELECT belay_now() AS now) AS clock
CROSS JOIN leadership
LEFT JOIN replica ON replica.name = leadership.leader
