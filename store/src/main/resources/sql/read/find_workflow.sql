SELECT w.id, w.tenant, w.name, w.version, w.task_count, w.created_at, w.created_by, c.paused_at IS NOT NULL AS paused,
       c.paused_at, c.paused_by, c.max_active, c.deleted_at, c.deleted_by, w.spec, w.source,
       (SELECT count(*)
        FROM trigger t
        JOIN trigger_version v ON v.trigger_id = t.id AND v.until_at IS NULL AND v.kind <> 'expect_by'
        WHERE t.tenant = w.tenant AND t.workflow = w.name) AS trigger_count
FROM workflow w
LEFT JOIN workflow_control c ON c.tenant = w.tenant AND c.name = w.name
WHERE w.tenant = :tenant
  AND w.name = :name
  AND w.version = :version   --? version
ORDER BY w.version DESC
LIMIT 1
