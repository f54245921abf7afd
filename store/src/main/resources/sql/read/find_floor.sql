-- How far down a page may look for tasks that match its filter: no filter makes a page read the whole table.
SELECT t.id
FROM task t
WHERE true
  AND t.id < :cursor   --? cursor
ORDER BY t.id DESC
OFFSET :rows
LIMIT 1
