-- What a later version might do: statements of this one fail on it, the replica's heartbeat too.
ALTER TABLE replica RENAME COLUMN seen_at TO later_seen_at;
ALTER TABLE alert ADD COLUMN later text;
