INSERT INTO system_file (source, spec_hash, applied_at, applied_by)
VALUES (:source, :spec_hash, belay_now(), :actor)
ON CONFLICT (singleton) DO UPDATE
SET source = EXCLUDED.source, spec_hash = EXCLUDED.spec_hash, applied_at = EXCLUDED.applied_at,
    applied_by = EXCLUDED.applied_by
