-- Only workflows that have triggers or promises, or had triggers before: the specs of the others need not be read.
SELECT w.spec
FROM workflow w
WHERE w.id = ANY (CAST(:ids AS uuid[]))
  AND (w.spec -> 'triggers' IS NOT NULL
       OR w.spec #> '{run,expect_by}' IS NOT NULL
       OR EXISTS (SELECT FROM trigger t WHERE t.tenant = w.tenant AND t.workflow = w.name))
ORDER BY w.tenant, w.name
