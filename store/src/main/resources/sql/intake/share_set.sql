-- Many writers of single workflows at a time, but none while a set is applied (apply/lock_set).
SELECT CAST(pg_advisory_xact_lock_shared(CAST(x'62656C6100000004' AS bigint)) AS text)
