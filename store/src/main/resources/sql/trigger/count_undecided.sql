SELECT (SELECT count(*) FROM (SELECT FROM chain_fire WHERE outcome = 'pending' LIMIT :max) chain) AS chains,
       (SELECT count(*) FROM (SELECT FROM event_fire WHERE outcome = 'pending' LIMIT :max) event) AS events
