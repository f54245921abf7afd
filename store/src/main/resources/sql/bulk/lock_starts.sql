-- Until the transaction ends, nobody else counts the operations that are RUNNING, to start one more.
SELECT CAST(pg_advisory_xact_lock(CAST(x'62656C6100000006' AS bigint)) AS text)
