-- Compares the time again behind the lock: somebody may have interned one meanwhile.
DELETE FROM task_queue
WHERE id IN (SELECT id FROM task_queue WHERE used_at < belay_now() - make_interval(secs => :unused_seconds) ORDER BY id LIMIT :limit)
  AND used_at < belay_now() - make_interval(secs => :unused_seconds)
