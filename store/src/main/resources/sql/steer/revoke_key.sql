-- Also revokes a worker that joined before there were keys: no key has the hash of zeros.
INSERT INTO worker_key AS known (worker_id, key_hash, name, session_id, session_number, connection, first_seen_at, last_hello_at,
                                 revoked_at, revoked_by)
SELECT id, decode(repeat('00', 32), 'hex'), name, session_id, 0, connection, started_at, connected_at, belay_now(), :actor
FROM (SELECT id, name, session_id, connection, started_at, connected_at FROM worker WHERE id = :worker
      UNION ALL
      SELECT worker_id, name, session_id, connection, first_seen_at, last_hello_at FROM worker_key
      WHERE worker_id = :worker AND NOT EXISTS (SELECT FROM worker WHERE id = :worker)) AS joined
ON CONFLICT (worker_id) DO UPDATE
SET revoked_at = coalesce(known.revoked_at, EXCLUDED.revoked_at), revoked_by = coalesce(known.revoked_by, EXCLUDED.revoked_by)
