-- Skips a recent duplicate: the caller may check every second.
INSERT INTO alert (kind, detail, at)
SELECT :kind, :detail, now
FROM (SELECT belay_now() AS now) AS clock
WHERE NOT EXISTS (SELECT FROM alert
                  WHERE alert.at > clock.now - :quiet_ms * interval '1 millisecond'
                    AND alert.kind = :kind AND alert.detail = :detail)
