-- Every trigger that these workflows have or had, with its live version and how far it is covered: by its ledger, by an instant that
-- must fire for earlier ones of the ledger, or by a version that ended and still has instants to decide. The last two may be later
-- than now when the clock was set back. Runs behind the locks of the live versions, so that no instant is decided meanwhile.
SELECT t.id, t.tenant, t.workflow, t.name, live.id AS live, live.spec,
       greatest((SELECT max(f.at) FROM fire f WHERE f.trigger_id = t.id),
                (SELECT max(f.into_at) FROM fire f WHERE f.trigger_id = t.id AND f.into_at IS NOT NULL),
                (SELECT max(ended.until_at)
                 FROM trigger_version ended
                 WHERE ended.trigger_id = t.id AND ended.due_at IS NOT NULL)) AS covered
FROM unnest(CAST(:tenants AS text[]), CAST(:workflows AS text[])) AS wanted (tenant, workflow)
JOIN trigger t ON t.tenant = wanted.tenant AND t.workflow = wanted.workflow
LEFT JOIN trigger_version live ON live.trigger_id = t.id AND live.until_at IS NULL
ORDER BY t.id
