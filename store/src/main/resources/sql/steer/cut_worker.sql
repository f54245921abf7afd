-- Whatever its state: its stream is closed when it finds that it is not registered, its tasks are given up for it.
DELETE FROM worker WHERE id = :worker
