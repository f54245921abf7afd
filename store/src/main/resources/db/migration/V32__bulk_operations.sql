-- A bulk operation changes the tasks, or runs, that match its filter, one after the other in the order of their ids.
-- kind: a word of domain.bulk.BulkKind. filter: which items, with the tenant and the states, as JSON.
-- preview: how many matched at the request, and some of them.
-- up_to: items with a higher id were not there at the request; nor were those with a created_at after the operation's.
-- cursor: the last item that was dealt with; null before the first.
-- matched = changed + refused. reasons: how many were refused, by reason. refusals: the first of them.
-- due_at: with a rate, when the next items may change.
CREATE TABLE bulk_operation (
  id         uuid PRIMARY KEY,
  tenant     text NOT NULL,
  kind       text NOT NULL,
  filter     jsonb NOT NULL,
  priority   smallint CHECK (priority BETWEEN 1 AND 100),
  note       text NOT NULL CHECK (length(note) <= 400),
  rate       double precision CHECK (rate > 0),
  preview    jsonb NOT NULL,
  state      text NOT NULL CHECK (state IN ('RUNNING', 'DONE', 'CANCELLED', 'FAILED')),
  reason     text,
  up_to      uuid NOT NULL,
  cursor     uuid,
  matched    bigint NOT NULL DEFAULT 0,
  changed    bigint NOT NULL DEFAULT 0 CHECK (changed >= 0),
  refused    bigint NOT NULL DEFAULT 0 CHECK (refused >= 0),
  reasons    jsonb NOT NULL DEFAULT '{}',
  refusals   jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_array_length(refusals) <= 20),
  due_at     timestamptz,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  ended_at   timestamptz,
  CHECK ((priority IS NOT NULL) = (kind = 'priority')),
  CHECK (matched = changed + refused),
  CHECK ((ended_at IS NOT NULL) = (state IN ('DONE', 'CANCELLED', 'FAILED'))),
  CHECK ((reason IS NOT NULL) = (state IN ('CANCELLED', 'FAILED'))),
  CHECK (due_at IS NULL OR rate IS NOT NULL)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX bulk_operation_running ON bulk_operation (id) WHERE state = 'RUNNING';
CREATE INDEX bulk_operation_newest ON bulk_operation (tenant, id DESC);
CREATE INDEX bulk_operation_ended ON bulk_operation (ended_at) WHERE ended_at IS NOT NULL;
