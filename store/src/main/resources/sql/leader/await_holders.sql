-- Commits at once: only the wait counts.
SELECT 1 FROM pg_advisory_xact_lock(:epoch_lock)
