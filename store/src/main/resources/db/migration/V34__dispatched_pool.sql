-- The pool in which the current attempt counts, when its task names a topic but no pool; null otherwise. A new leader counts the slots of
-- pools from it.
ALTER TABLE task ADD COLUMN dispatched_pool text;
ALTER TABLE task ALTER COLUMN dispatched_pool SET STATISTICS 10;
