SELECT r.state, r.workflow, r.created_at AS since, c.paused_at,
       CASE WHEN r.counted THEN c.max_active END AS max_active,
       CASE WHEN r.state = 'QUEUED' AND c.max_active IS NOT NULL
            THEN (SELECT count(*)
                  FROM run active
                  WHERE active.tenant = r.tenant AND active.workflow = r.workflow AND active.state = 'RUNNING'
                    AND active.counted)
            ELSE 0
       END AS running
FROM run r
LEFT JOIN workflow_control c ON c.tenant = r.tenant AND c.name = r.workflow
WHERE r.id = :run
