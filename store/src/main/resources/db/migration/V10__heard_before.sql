-- When the worker's session before the present one was last heard of: what died with it was alive until then.
ALTER TABLE worker ADD COLUMN heard_before timestamptz;
