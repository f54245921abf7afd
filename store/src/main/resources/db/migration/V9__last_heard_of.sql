-- Of an attempt that was lost: when it, or its worker, was last heard of. ended_at is when it was given up.
ALTER TABLE attempt ADD COLUMN last_heard_at timestamptz;

-- Of a worker that is DISCONNECTED: it had said that it ends, so nobody misses it.
ALTER TABLE worker ADD COLUMN drained boolean NOT NULL DEFAULT false;
