-- Where the look of list_fires ends for the first trigger that has more rows than it looks at.
SELECT max(looked.low) AS floor
FROM trigger t
CROSS JOIN LATERAL (
  SELECT min(f.at) AS low, count(*) AS rows
  FROM (
    SELECT fire.at
    FROM fire
    WHERE fire.trigger_id = t.id
      AND fire.at <= :cursor_at                                                      --? cursor_at
      AND (fire.at, fire.trigger_id) < (:cursor_at, CAST(:cursor_trigger AS uuid))   --? cursor_at
    ORDER BY fire.at DESC
    LIMIT :scan
  ) AS f
) AS looked
WHERE t.tenant = :tenant
  AND t.workflow = :workflow
  AND t.name = :trigger   --? trigger
  AND looked.rows = :scan
