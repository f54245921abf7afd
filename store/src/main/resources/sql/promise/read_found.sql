-- For each window, a run that succeeded in it, and the newest run of its workflow.
SELECT i.version, succeeded.id AS succeeded, newest.id AS newest, newest.state, newest.reason
FROM unnest(CAST(:versions AS uuid[]), CAST(:tenants AS text[]), CAST(:workflows AS text[]), CAST(:afters AS timestamptz[]),
            CAST(:up_tos AS timestamptz[]))
     AS i (version, tenant, workflow, after, up_to)
LEFT JOIN LATERAL (SELECT r.id
                   FROM run r
                   WHERE r.tenant = i.tenant AND r.workflow = i.workflow AND r.state = 'SUCCEEDED' AND r.ended_at > i.after
                     AND r.ended_at <= i.up_to AND r.backfill_id IS NULL
                   ORDER BY r.ended_at DESC
                   LIMIT 1) AS succeeded ON true
LEFT JOIN LATERAL (SELECT r.id, r.state, r.reason
                   FROM run r
                   WHERE r.tenant = i.tenant AND r.workflow = i.workflow
                   ORDER BY r.id DESC
                   LIMIT 1) AS newest ON true
