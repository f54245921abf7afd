-- How often workers could not start the task, through no fault of its own.
ALTER TABLE task ADD COLUMN dispatch_failed_count smallint NOT NULL DEFAULT 0;
ALTER TABLE task ALTER COLUMN dispatch_failed_count SET STATISTICS 10;

-- A task that Belay gave up, in one of its generations. It outlives its task, so it holds the whole request.
-- reason: the code; detail: what was found.
-- cause: the detail without what differs from one task to the next; fingerprint: a hash of reason and cause.
-- attempts: how often the task was dispatched.
-- retry_of: the dead letter that the task was a retry of, and retries: how many there were before this one.
-- retried_as: the task that it was retried as; its own task when that runs again in its next generation.
CREATE TABLE dead_letter (
  id          uuid PRIMARY KEY,
  task_id     uuid NOT NULL,
  generation  int NOT NULL,
  run_id      uuid,
  tenant      text NOT NULL,
  topic       text,
  pool        text,
  workflow    text,
  name        text NOT NULL,
  reason      text NOT NULL,
  detail      text NOT NULL,
  cause       text NOT NULL,
  fingerprint text NOT NULL,
  request     json NOT NULL,
  attempts    bigint NOT NULL,
  created_at  timestamptz NOT NULL,
  retry_of    uuid,
  retries     int NOT NULL DEFAULT 0 CHECK (retries >= 0),
  retried_as  uuid,
  retried_at  timestamptz,
  retried_by  text,
  UNIQUE (task_id, generation),
  CHECK ((run_id IS NULL) = (workflow IS NULL)),
  CHECK ((retry_of IS NULL) = (retries = 0)),
  CHECK ((retried_as IS NULL) = (retried_at IS NULL) AND (retried_as IS NULL) = (retried_by IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX dead_letter_newest ON dead_letter (tenant, id DESC);
CREATE INDEX dead_letter_of_fingerprint ON dead_letter (tenant, fingerprint, id DESC);
CREATE INDEX dead_letter_open ON dead_letter (reason) WHERE retried_as IS NULL;
CREATE INDEX dead_letter_retried ON dead_letter (retried_as, id DESC) WHERE retried_as IS NOT NULL;
CREATE INDEX dead_letter_old ON dead_letter (created_at);
