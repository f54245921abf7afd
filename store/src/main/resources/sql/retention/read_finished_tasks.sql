-- Examines the next tasks in the order of their ids, which is about the order of their creation, and tells which ended before
-- :before, alone or with a run that ended before it, too. A task whose run was removed counts as alone. Nothing that was created
-- after :before can be due, so the search ends at :below.
SELECT t.id, t.row_version,
       coalesce(t.ended_at < :before, false) AND (r.id IS NULL OR coalesce(r.ended_at < :before, false)) AS due
FROM (SELECT task.id, CAST(CAST(task.xmin AS text) AS bigint) AS row_version, task.run_id, task.ended_at
      FROM task
      WHERE task.id > :after AND task.id < :below
      ORDER BY task.id
      LIMIT :limit) t
LEFT JOIN run r ON r.id = t.run_id
ORDER BY t.id
