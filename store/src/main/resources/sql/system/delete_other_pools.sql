-- What the system file named before, and does not name any more.
DELETE FROM pool
WHERE declared_in = 'SYSTEM_FILE' AND name <> ALL (CAST(:names AS text[]))
