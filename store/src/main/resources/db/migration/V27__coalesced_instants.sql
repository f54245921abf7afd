-- Finds the last instant that must fire for earlier ones: a changed file must not take it away.
-- into_at is the newest instant that was due when the row was decided. A long backlog is decided in several transactions, so the row of
-- into_at comes later, and may itself be coalesced into a still later instant, or skipped by a pause.
CREATE INDEX fire_coalesced ON fire (trigger_id, into_at) WHERE into_at IS NOT NULL;
