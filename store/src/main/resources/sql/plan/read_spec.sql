SELECT spec
FROM workflow
WHERE id = :workflow
