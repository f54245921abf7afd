DELETE FROM mark
WHERE id = ANY(CAST(:marks AS bigint[]))
