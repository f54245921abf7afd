-- One set at a time, and no writer of a single workflow meanwhile (intake/share_set), until the end of the transaction.
SELECT CAST(pg_advisory_xact_lock(CAST(x'62656C6100000004' AS bigint)) AS text)
