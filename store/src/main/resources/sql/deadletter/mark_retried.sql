-- Under the lock of the row.
UPDATE dead_letter
SET retried_as = :task, retried_at = belay_now(), retried_by = :actor
WHERE id = :id AND retried_as IS NULL
