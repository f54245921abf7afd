-- Puts the writers of the next version of one workflow in line, until the end of the transaction.
SELECT CAST(pg_advisory_xact_lock(hashtextextended(:tenant || ' ' || :name, 0)) AS text)
