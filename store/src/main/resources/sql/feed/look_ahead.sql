-- drawn: the last id that was drawn, by transactions that may still run. The function reads it under the lock of the
-- sequence; a SELECT from the sequence may see the higher value that nextval logs in advance.
SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint) AS oldest_running,
       coalesce(pg_sequence_last_value(CAST('feed_id_seq' AS regclass)), 0) AS drawn,
       belay_now() AS now
