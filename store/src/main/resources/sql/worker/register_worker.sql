-- A new process of the worker replaces its older one; a late hello of an older connection or process does not.
INSERT INTO worker (id, name, pools, slots, labels, version, platform, session_id, connection, replica, state,
                    started_at, connected_at, last_seen_at, disconnected_at, report_number, capabilities)
SELECT :id, :name, CAST(:pools AS text[]), :slots, CAST(:labels AS jsonb), :version, :platform, :session, :connection,
       :replica, 'CONNECTED', to_timestamp(:started_at_ms / 1000.0), now, now, NULL, 0,
       CAST(:capabilities AS text[])
FROM (SELECT belay_now() AS now) AS clock
ON CONFLICT (id) DO UPDATE
SET name = EXCLUDED.name, pools = EXCLUDED.pools, slots = EXCLUDED.slots, labels = EXCLUDED.labels,
    version = EXCLUDED.version, platform = EXCLUDED.platform, session_id = EXCLUDED.session_id,
    connection = EXCLUDED.connection, replica = EXCLUDED.replica, state = EXCLUDED.state,
    started_at = EXCLUDED.started_at, connected_at = EXCLUDED.connected_at, last_seen_at = EXCLUDED.last_seen_at,
    disconnected_at = NULL, report_number = 0, gone = false, preparing = '{}', capabilities = EXCLUDED.capabilities
WHERE CASE WHEN worker.session_id = EXCLUDED.session_id THEN worker.connection < EXCLUDED.connection
           ELSE worker.started_at <= EXCLUDED.started_at END
RETURNING id
