-- Who asked for the end of an attempt, when, and why. Null together with abort_reason, and in rows that are older than this.
ALTER TABLE task
  ADD COLUMN abort_at timestamptz,
  ADD COLUMN abort_by text,
  ADD COLUMN abort_note text CHECK (length(abort_note) BETWEEN 1 AND 400),
  ADD CHECK (abort_reason IS NOT NULL OR (abort_at IS NULL AND abort_by IS NULL AND abort_note IS NULL));
ALTER TABLE task
  ALTER COLUMN abort_at SET STATISTICS 10,
  ALTER COLUMN abort_by SET STATISTICS 10,
  ALTER COLUMN abort_note SET STATISTICS 10;

ALTER TABLE past_attempt
  ADD COLUMN abort_at timestamptz,
  ADD COLUMN abort_by text,
  ADD COLUMN abort_note text;

CREATE OR REPLACE VIEW attempt AS
SELECT id AS task_id, CAST(fencing_token AS int) AS number, generation, dispatch_id, worker_id, session_id, epoch,
       dispatched_at, started_at, attempt_ended_at AS ended_at, end_reason, exit_code, signal, detail, abort_reason,
       late_outcome, output_lost, last_heard_at, abort_at, abort_by, abort_note
FROM task
WHERE dispatch_id IS NOT NULL
UNION ALL
SELECT task_id, number, generation, dispatch_id, worker_id, session_id, epoch, dispatched_at, started_at, ended_at,
       end_reason, exit_code, signal, detail, abort_reason, late_outcome, output_lost, last_heard_at, abort_at, abort_by,
       abort_note
FROM past_attempt;
