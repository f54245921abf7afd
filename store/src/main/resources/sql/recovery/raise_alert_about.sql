-- One alert per subject at a time, whatever its text. The subject ends the text, so no other text can imitate it.
INSERT INTO alert (kind, detail, at)
SELECT :kind, :detail, now
FROM (SELECT belay_now() AS now) AS clock
WHERE NOT EXISTS (SELECT FROM alert
                  WHERE alert.at > clock.now - :quiet_ms * interval '1 millisecond'
                    AND alert.kind = :kind AND right(alert.detail, length(:subject)) = :subject)
