-- Behind a guarded write that happens once: the same text again is news.
INSERT INTO alert (kind, detail, at)
VALUES (:kind, :detail, belay_now())
