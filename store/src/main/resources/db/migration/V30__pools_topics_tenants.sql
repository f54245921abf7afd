-- Raised in the transaction of each change of what the leader routes by: pools, topics, tenants, and the max_tasks of workflows. The
-- leader reads those only when this has changed. The lock of this row also puts their writers in order.
CREATE TABLE routing_version (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  version   bigint NOT NULL
);
INSERT INTO routing_version (version) VALUES (1);

-- declared_in: the system file owns what it names; the API writes the rest. version: the routing_version of the last change, so that it
-- never comes again, also after a delete.
ALTER TABLE pool
  ADD COLUMN state        text NOT NULL DEFAULT 'ACTIVE' CHECK (state IN ('ACTIVE', 'DRAINING', 'INACTIVE')),
  ADD COLUMN slots        int CHECK (slots > 0),
  ADD COLUMN capabilities text[] NOT NULL DEFAULT '{}',
  ADD COLUMN strategy     text NOT NULL DEFAULT 'SPREAD' CHECK (strategy IN ('SPREAD', 'PACK')),
  ADD COLUMN declared_in  text NOT NULL DEFAULT 'SYSTEM_FILE' CHECK (declared_in IN ('SYSTEM_FILE', 'API')),
  ADD COLUMN version      bigint NOT NULL DEFAULT 1,
  ADD COLUMN changed_at   timestamptz,
  ADD COLUMN changed_by   text;
UPDATE pool SET changed_at = applied_at, changed_by = applied_by FROM system_file;
ALTER TABLE pool
  ALTER COLUMN state DROP DEFAULT,
  ALTER COLUMN capabilities DROP DEFAULT,
  ALTER COLUMN strategy DROP DEFAULT,
  ALTER COLUMN declared_in DROP DEFAULT,
  ALTER COLUMN version DROP DEFAULT,
  ALTER COLUMN changed_at SET NOT NULL,
  ALTER COLUMN changed_by SET NOT NULL;

CREATE TABLE topic (
  name        text PRIMARY KEY,
  description text,
  pools       text[] NOT NULL CHECK (cardinality(pools) > 0),
  declared_in text NOT NULL CHECK (declared_in IN ('SYSTEM_FILE', 'API')),
  version     bigint NOT NULL,
  changed_at  timestamptz NOT NULL,
  changed_by  text NOT NULL
);

-- A tenant without a row has the weight 1 and no limits.
CREATE TABLE tenant (
  name          text PRIMARY KEY,
  description   text,
  weight        int NOT NULL CHECK (weight > 0),
  max_running   int CHECK (max_running >= 0),
  max_waiting   int CHECK (max_waiting >= 0),
  submit_max    int CHECK (submit_max > 0),
  submit_per_ms bigint CHECK (submit_per_ms > 0),
  declared_in   text NOT NULL CHECK (declared_in IN ('SYSTEM_FILE', 'API')),
  version       bigint NOT NULL,
  changed_at    timestamptz NOT NULL,
  changed_by    text NOT NULL,
  CHECK ((submit_max IS NULL) = (submit_per_ms IS NULL))
);

-- What the tenants with max_waiting or a submit rate have submitted. Each submit of theirs locks its row. waiting: no more tasks wait
-- than that, tasks of runs aside; counted_at: when they were counted. tokens: how many may be submitted, as of filled_at.
CREATE TABLE tenant_intake (
  tenant     text PRIMARY KEY,
  waiting    bigint NOT NULL,
  counted_at timestamptz NOT NULL,
  tokens     double precision NOT NULL,
  filled_at  timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Of the latest version; null means no limit.
ALTER TABLE workflow_control ADD COLUMN max_tasks int CHECK (max_tasks > 0);

-- Null means any pool of the task's topic.
ALTER TABLE task ALTER COLUMN pool DROP NOT NULL;

-- For the count of a tenant's waiting tasks.
CREATE INDEX task_queue_tenant ON task_queue ((spec ->> 'tenant'));
