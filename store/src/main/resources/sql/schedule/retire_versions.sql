-- Instants up to their ends stay theirs: they are due until the leader has decided them.
UPDATE trigger_version v
SET until_at = i.until_at, due_at = CASE WHEN v.next_at <= i.until_at THEN v.due_at END
FROM unnest(CAST(:ids AS uuid[]), CAST(:untils AS timestamptz[])) AS i (id, until_at)
WHERE v.id = i.id AND v.until_at IS NULL
