-- Serializes the writers of a workflow's next version until the end of the transaction.
SELECT CAST(pg_advisory_xact_lock(hashtextextended(:tenant || ' ' || :name, 0)) AS text)
