-- Registers a worker only with the key of its id, which the id's first hello sets. A worker's new process replaces its
-- older one; a late hello of an older connection or process does not.
WITH clock AS (
  SELECT belay_now() AS now
), proven AS (
  INSERT INTO worker_key AS known (worker_id, key_hash, name, session_id, session_number, connection, first_seen_at,
                                   last_hello_at)
  SELECT :id, :key_hash, :name, :session, :session_number, :connection, now, now
  FROM clock
  ON CONFLICT (worker_id) DO UPDATE
  SET name = EXCLUDED.name, session_id = EXCLUDED.session_id, session_number = EXCLUDED.session_number,
      connection = EXCLUDED.connection, last_hello_at = EXCLUDED.last_hello_at
  WHERE known.key_hash = EXCLUDED.key_hash AND known.revoked_at IS NULL
    AND CASE WHEN known.session_id = EXCLUDED.session_id THEN known.connection < EXCLUDED.connection
             ELSE known.session_number < EXCLUDED.session_number END
  RETURNING worker_id
)
INSERT INTO worker (id, name, pools, slots, labels, capabilities, memory_bytes, cpu_millis, version, platform, session_id,
                    connection, replica, state, started_at, connected_at, last_seen_at, disconnected_at, heartbeat_number)
SELECT worker_id, :name, CAST(:pools AS text[]), :slots, CAST(:labels AS jsonb), CAST(:capabilities AS text[]),
       nullif(:memory_bytes, 0), nullif(:cpu_millis, 0), :version, :platform, :session, :connection, :replica, 'CONNECTED', least(to_timestamp(:started_at_ms / 1000.0), now), now, now, NULL, 0
FROM proven, clock
ON CONFLICT (id) DO UPDATE
SET name = EXCLUDED.name, pools = EXCLUDED.pools, slots = EXCLUDED.slots, labels = EXCLUDED.labels,
    capabilities = EXCLUDED.capabilities, memory_bytes = EXCLUDED.memory_bytes, cpu_millis = EXCLUDED.cpu_millis,
    free_slots = NULL, withheld_slots = NULL, cpu_percent = NULL, gpu_percent = NULL,
    fast_failures = CASE WHEN worker.session_id = EXCLUDED.session_id THEN worker.fast_failures ELSE 0 END,
    failed_at = CASE WHEN worker.session_id = EXCLUDED.session_id THEN worker.failed_at END,
    version = EXCLUDED.version, platform = EXCLUDED.platform, session_id = EXCLUDED.session_id,
    connection = EXCLUDED.connection, replica = EXCLUDED.replica, state = EXCLUDED.state,
    started_at = EXCLUDED.started_at, connected_at = EXCLUDED.connected_at, last_seen_at = EXCLUDED.last_seen_at,
    heard_before = CASE WHEN worker.session_id = EXCLUDED.session_id THEN worker.heard_before
                        ELSE greatest(worker.last_seen_at, worker.disconnected_at) END,
    disconnected_at = NULL, heartbeat_number = 0, closed_by_peer = false, preparing = '{}'
RETURNING id
