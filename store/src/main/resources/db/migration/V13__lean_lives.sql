-- A life that goes as lives go is one row: the task with its attempt. The steps of such a life (submitted, claimed, started,
-- ended with success) are in its columns, and the view history shows them. Only other steps are rows, in step. An attempt
-- moves to past_attempt when the next one replaces it. The views attempt and history are for every reader.

-- dispatch_id to last_heard_at: the current or last attempt, all null before the first one and after a reset.
-- created_by: who submitted the task; null when its creation is a step.
CREATE TABLE lean_task (
  id               uuid NOT NULL,
  run_id           uuid,
  dispatch_id      uuid,
  worker_id        uuid,
  session_id       uuid,
  state_since      timestamptz NOT NULL,
  created_at       timestamptz NOT NULL,
  dispatched_at    timestamptz,
  started_at       timestamptz,
  attempt_ended_at timestamptz,
  ended_at         timestamptz,
  not_before       timestamptz,
  lease_ends_at    timestamptz,
  deadline_at      timestamptz,
  last_heard_at    timestamptz,
  fencing_token    bigint NOT NULL DEFAULT 0,
  epoch            bigint,
  output_lost      bigint CHECK (output_lost > 0),
  state            task_state NOT NULL,
  generation       int NOT NULL DEFAULT 1 CHECK (generation > 0),
  map_index        int NOT NULL DEFAULT -1 CHECK (map_index >= -1),
  exit_code        int,
  signal           int,
  priority         smallint NOT NULL CHECK (priority BETWEEN 1 AND 100),
  error_count      smallint NOT NULL DEFAULT 0,
  lost_count       smallint NOT NULL DEFAULT 0,
  crash_count      smallint NOT NULL DEFAULT 0,
  strict           boolean NOT NULL DEFAULT false,
  tenant           text NOT NULL,
  name             text NOT NULL,
  pool             text NOT NULL,
  reason           text NOT NULL,
  created_by       text,
  end_reason       text,
  detail           text,
  abort_reason     text,
  late_outcome     text,
  note             text CHECK (length(note) BETWEEN 1 AND 1000),
  CHECK ((ended_at IS NOT NULL) = (state IN ('SUCCEEDED', 'FAILED', 'TIMEOUT', 'CANCELLED', 'DENIED',
         'OUTPUT_QUARANTINED', 'SKIPPED', 'UPSTREAM_FAILED'))),
  CHECK (state NOT IN ('DISPATCHED', 'RUNNING') OR (dispatch_id IS NOT NULL AND attempt_ended_at IS NULL)),
  CHECK (dispatch_id IS NULL
         OR (worker_id IS NOT NULL AND session_id IS NOT NULL AND dispatched_at IS NOT NULL AND epoch IS NOT NULL
             AND fencing_token > 0)),
  CHECK (state <> 'RUNNING' OR started_at IS NOT NULL),
  CHECK (state <> 'DISPATCHED' OR started_at IS NULL),
  CHECK ((attempt_ended_at IS NULL) = (end_reason IS NULL))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05,
        autovacuum_vacuum_threshold = 1000, autovacuum_analyze_threshold = 500);

-- Attempts that were replaced by the next one, or belong to an earlier generation.
CREATE TABLE past_attempt (
  task_id       uuid NOT NULL,
  number        int NOT NULL,
  generation    int NOT NULL,
  dispatch_id   uuid NOT NULL,
  worker_id     uuid NOT NULL,
  session_id    uuid NOT NULL,
  epoch         bigint NOT NULL,
  dispatched_at timestamptz NOT NULL,
  started_at    timestamptz,
  ended_at      timestamptz NOT NULL,
  end_reason    text NOT NULL,
  exit_code     int,
  signal        int,
  detail        text,
  abort_reason  text,
  late_outcome  text,
  output_lost   bigint CHECK (output_lost > 0),
  last_heard_at timestamptz,
  PRIMARY KEY (task_id, number)
);

-- attempt: how many attempts the task had had when it took this step. It orders stored steps among the derived ones.
CREATE TABLE step (
  task_id     uuid NOT NULL,
  id          bigint GENERATED ALWAYS AS IDENTITY,
  attempt     int NOT NULL,
  from_state  task_state,
  to_state    task_state NOT NULL,
  reason      text NOT NULL,
  actor       text NOT NULL,
  dispatch_id uuid,
  at          timestamptz NOT NULL,
  PRIMARY KEY (task_id, id)
);

INSERT INTO lean_task (id, run_id, dispatch_id, worker_id, session_id, state_since, created_at, dispatched_at, started_at,
                       attempt_ended_at, ended_at, not_before, lease_ends_at, deadline_at, last_heard_at, fencing_token, epoch,
                       output_lost, state, generation, map_index, exit_code, signal, priority, error_count, lost_count,
                       crash_count, strict, tenant, name, pool, reason, created_by, end_reason, detail, abort_reason,
                       late_outcome, note)
SELECT task.id, task.run_id, attempt.dispatch_id, attempt.worker_id, attempt.session_id, task.state_since, task.created_at,
       attempt.dispatched_at, attempt.started_at, attempt.ended_at, task.ended_at, task.not_before, task.lease_ends_at,
       task.deadline_at, attempt.last_heard_at, task.fencing_token, attempt.epoch, attempt.output_lost, task.state,
       task.generation, task.map_index, attempt.exit_code, attempt.signal, task.priority, task.error_count, task.lost_count,
       task.crash_count, task.strict, task.tenant, task.name, task.pool, task.reason, submitted.actor, attempt.end_reason,
       attempt.detail, attempt.abort_reason, attempt.late_outcome, task.note
FROM task
LEFT JOIN attempt ON attempt.dispatch_id = task.dispatch_id AND attempt.generation = task.generation
LEFT JOIN history AS submitted
       ON submitted.task_id = task.id AND submitted.from_state IS NULL AND submitted.to_state = 'SCHEDULED'
          AND submitted.reason = 'submitted' AND submitted.at = task.created_at;

INSERT INTO past_attempt (task_id, number, generation, dispatch_id, worker_id, session_id, epoch, dispatched_at, started_at,
                          ended_at, end_reason, exit_code, signal, detail, abort_reason, late_outcome, output_lost,
                          last_heard_at)
SELECT attempt.task_id, attempt.number, attempt.generation, attempt.dispatch_id, attempt.worker_id, attempt.session_id,
       attempt.epoch, attempt.dispatched_at, attempt.started_at, attempt.ended_at, attempt.end_reason, attempt.exit_code,
       attempt.signal, attempt.detail, attempt.abort_reason, attempt.late_outcome, attempt.output_lost, attempt.last_heard_at
FROM attempt JOIN task ON task.id = attempt.task_id
WHERE attempt.dispatch_id <> task.dispatch_id OR attempt.generation <> task.generation;

INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, dispatch_id, at)
SELECT history.task_id,
       CASE WHEN task.fencing_token = 0 OR history.from_state IS NULL
                 OR (history.from_state = 'WAITING' AND task.generation = 1) THEN 0
            ELSE (SELECT count(*)
                  FROM history AS earlier
                  WHERE earlier.task_id = history.task_id AND earlier.to_state = 'DISPATCHED' AND earlier.id < history.id)
       END,
       history.from_state, history.to_state, history.reason, history.actor, history.dispatch_id, history.at
FROM history JOIN lean_task AS task ON task.id = history.task_id
WHERE history.to_state NOT IN ('DISPATCHED', 'RUNNING')
  AND NOT (history.from_state IS NULL AND task.created_by IS NOT NULL)
  AND NOT (history.to_state = 'SUCCEEDED' AND history.reason = 'exit_code: 0' AND task.state = 'SUCCEEDED')
ORDER BY history.id;

-- As text: nobody looks inside, and jsonb costs a conversion at each write and read.
ALTER TABLE task_payload ALTER COLUMN work TYPE json, ALTER COLUMN labels TYPE json;

DROP TABLE history, attempt, task;
ALTER TABLE lean_task RENAME TO task;
ALTER TABLE task ADD PRIMARY KEY (id);
CREATE UNIQUE INDEX task_of_run ON task (run_id, name, map_index) WHERE run_id IS NOT NULL;
CREATE INDEX task_ready ON task (pool, priority DESC, id) WHERE state = 'SCHEDULED';
CREATE INDEX task_due ON task (not_before) WHERE state = 'PENDING';
CREATE INDEX task_active ON task (worker_id) WHERE state IN ('DISPATCHED', 'RUNNING');
CREATE INDEX task_deadline ON task (deadline_at)
  WHERE deadline_at IS NOT NULL
    AND state IN ('WAITING', 'PENDING', 'APPROVAL_REQUIRED', 'SCHEDULED', 'DISPATCHED', 'RUNNING', 'DEFERRED', 'BLOCKED');
CREATE INDEX task_awaiting ON task (state_since) WHERE state IN ('APPROVAL_REQUIRED', 'DEFERRED', 'BLOCKED');

-- For people who list failed or waiting tasks. A usual life never enters it.
CREATE INDEX task_unusual ON task (state, id)
  WHERE state NOT IN ('SCHEDULED', 'DISPATCHED', 'RUNNING', 'SUCCEEDED');

CREATE VIEW attempt AS
SELECT id AS task_id, CAST(fencing_token AS int) AS number, generation, dispatch_id, worker_id, session_id, epoch,
       dispatched_at, started_at, attempt_ended_at AS ended_at, end_reason, exit_code, signal, detail, abort_reason,
       late_outcome, output_lost, last_heard_at
FROM task
WHERE dispatch_id IS NOT NULL
UNION ALL
SELECT task_id, number, generation, dispatch_id, worker_id, session_id, epoch, dispatched_at, started_at, ended_at,
       end_reason, exit_code, signal, detail, abort_reason, late_outcome, output_lost, last_heard_at
FROM past_attempt;

-- id orders the steps of one task: after the claim and the start of an attempt come the stored steps since that claim, then
-- the usual end. Nothing follows the usual end: what reopens a task that succeeded must store that end as a step first.
CREATE VIEW history AS
SELECT id AS task_id, CAST(0 AS bigint) AS id, CAST(NULL AS task_state) AS from_state, CAST('SCHEDULED' AS task_state) AS to_state,
       CAST('submitted' AS text) AS reason, created_by AS actor, CAST(NULL AS uuid) AS dispatch_id, created_at AS at
FROM task
WHERE created_by IS NOT NULL
UNION ALL
SELECT task_id, CAST(number AS bigint) << 44, 'SCHEDULED', 'DISPATCHED', 'claimed', 'dispatcher', dispatch_id, dispatched_at
FROM attempt
UNION ALL
SELECT task_id, (CAST(number AS bigint) << 44) + 1, 'DISPATCHED', 'RUNNING', 'started', 'worker', dispatch_id, started_at
FROM attempt
WHERE started_at IS NOT NULL
UNION ALL
SELECT task_id, (CAST(attempt AS bigint) << 44) + (CAST(1 AS bigint) << 43) + id, from_state, to_state, reason, actor,
       dispatch_id, at
FROM step
UNION ALL
SELECT id, ((fencing_token + 1) << 44) - 1, 'RUNNING', 'SUCCEEDED', reason, 'worker', dispatch_id, ended_at
FROM task
WHERE state = 'SUCCEEDED' AND reason = 'exit_code: 0';
