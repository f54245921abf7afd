SELECT key_hash, name, session_id, session_number, revoked_at IS NOT NULL AS revoked
FROM worker_key
WHERE worker_id = :worker
