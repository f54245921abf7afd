-- In any state: the worker's stream closes once it finds itself unregistered, and the reaper gives up its tasks.
DELETE FROM worker WHERE id = :worker
