-- What a worker says about itself: its hello what it can do and offers, its heartbeats how busy it is. Null where it does not
-- say, as an older agent. cpu_millis: thousandths of a processor. free_slots, cpu_percent and gpu_percent are of the last
-- heartbeat of its session, and null before the first one.
-- set_aside_at: tasks failed fast and often there, so it gets no new work until a person trusts it again.
ALTER TABLE worker
  ADD COLUMN capabilities     text[] NOT NULL DEFAULT '{}',
  ADD COLUMN memory_bytes     bigint,
  ADD COLUMN cpu_millis       int,
  ADD COLUMN gpu_percent      real,
  ADD COLUMN set_aside_at     timestamptz,
  ADD COLUMN set_aside_reason text,
  ADD CHECK (memory_bytes > 0 AND cpu_millis > 0),
  ADD CHECK (gpu_percent BETWEEN 0 AND 100),
  ADD CHECK ((set_aside_at IS NULL) = (set_aside_reason IS NULL));
