-- Columns are named after what they hold.
ALTER TABLE task RENAME COLUMN queued_at TO dispatched_at;
ALTER TABLE task RENAME COLUMN fence TO fencing_token;
-- Of a strict task whose attempt was lost: the attempt may still run until then, so the next one starts later.
ALTER TABLE task RENAME COLUMN fenced_until TO lease_ends_at;
ALTER TABLE worker RENAME COLUMN gone TO closed_by_peer;
ALTER TABLE worker RENAME COLUMN report_number TO heartbeat_number;

UPDATE recovery SET kind = 'agent_closed' WHERE kind = 'agent_gone';

-- Nothing reads these.
ALTER TABLE worker DROP COLUMN capabilities;
ALTER TABLE run DROP COLUMN parent_run_id, DROP COLUMN parent_task_id;
