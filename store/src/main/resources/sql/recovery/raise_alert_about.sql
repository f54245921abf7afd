-- One for each subject in a while, whatever it says: the subject stands at the end of the text, where nothing can follow it.
INSERT INTO alert (kind, detail, at)
SELECT :kind, :detail, now
FROM (SELECT belay_now() AS now) AS clock
WHERE NOT EXISTS (SELECT FROM alert
                  WHERE alert.at > clock.now - :quiet_ms * interval '1 millisecond'
                    AND alert.kind = :kind AND right(alert.detail, length(:subject)) = :subject)
