-- Reads the last id first and gets an xid after that: see the package store.feed. The message makes the commit wait for
-- the WAL, which also holds the position of the sequence.
WITH drawn AS MATERIALIZED (
  SELECT coalesce(pg_sequence_last_value(CAST('feed_id_seq' AS regclass)), 0) AS id
)
SELECT drawn.id, CAST(CAST(pg_current_xact_id() AS text) AS bigint) AS xid, belay_now() AS at,
       pg_logical_emit_message(true, 'belay feed', CAST('' AS text)) AS written
FROM drawn
