-- What a worker says about itself: its hello what it can do and offers, its heartbeats how busy it is. Null where it does not
-- say, as an older agent. cpu_millis: thousandths of a processor. free_slots, withheld_slots, cpu_percent and gpu_percent are of
-- the last heartbeat of its session, and null before the first one. withheld_slots: neither taken nor offered.
-- fast_failures: how many tasks failed fast in a row there, as its replica counted at failed_at; 0 while they are few.
-- set_aside_at: tasks failed fast and often there, so it gets no new work until a person trusts it again.
ALTER TABLE worker
  ADD COLUMN capabilities     text[] NOT NULL DEFAULT '{}',
  ADD COLUMN memory_bytes     bigint,
  ADD COLUMN cpu_millis       int,
  ADD COLUMN withheld_slots   int,
  ADD COLUMN gpu_percent      real,
  ADD COLUMN fast_failures    int NOT NULL DEFAULT 0,
  ADD COLUMN failed_at        timestamptz,
  ADD COLUMN set_aside_at     timestamptz,
  ADD COLUMN set_aside_reason text,
  ADD CHECK (memory_bytes > 0 AND cpu_millis > 0),
  ADD CHECK (withheld_slots >= 0),
  ADD CHECK (gpu_percent BETWEEN 0 AND 100),
  ADD CHECK (fast_failures >= 0 AND (fast_failures > 0) = (failed_at IS NOT NULL)),
  ADD CHECK ((set_aside_at IS NULL) = (set_aside_reason IS NULL));

-- Nearly always empty. A heartbeat changes none of its columns, so it stays a HOT update.
CREATE INDEX worker_suspect ON worker (id) WHERE fast_failures > 0 OR set_aside_at IS NOT NULL;
