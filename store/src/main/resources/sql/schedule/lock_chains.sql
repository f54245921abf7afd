-- One writer of a workflow that waits for others at a time, until the end of the transaction.
SELECT CAST(pg_advisory_xact_lock(CAST(x'62656C6100000005' AS bigint)) AS text)
