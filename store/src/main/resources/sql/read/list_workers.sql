-- REPLACED: disconnected, without tasks, and another worker with its name joined later. REVOKED: cut off and kept out.
SELECT id, name, state, pools, slots, active, labels, version, platform, session, replica, started_at, connected_at,
       last_seen_at, disconnected_at, trouble, capabilities, memory_bytes, cpu_millis, free_slots, cpu_percent, gpu_percent,
       set_aside_at, set_aside_reason
FROM (
  SELECT w.id, w.name,
         CASE WHEN w.state = 'DISCONNECTED' AND held.active = 0
                   AND EXISTS (SELECT FROM worker AS other
                               WHERE other.name = w.name AND other.id <> w.id AND other.state <> 'DISCONNECTED'
                                 AND other.connected_at > w.disconnected_at)
              THEN 'REPLACED' ELSE w.state END AS state,
         w.pools, w.slots, held.active, w.labels, w.version, w.platform, w.session_id AS session, w.replica, w.started_at,
         w.connected_at, w.last_seen_at, w.disconnected_at, w.trouble, w.capabilities, w.memory_bytes, w.cpu_millis,
         w.free_slots, w.cpu_percent, w.gpu_percent, w.set_aside_at, w.set_aside_reason
  FROM worker w,
       LATERAL (SELECT count(*) AS active FROM task t
                WHERE t.worker_id = w.id AND t.state IN ('DISPATCHED', 'RUNNING')) AS held
  WHERE true
    AND w.id < :cursor   --? cursor
  UNION ALL
  SELECT k.worker_id, k.name, 'REVOKED', '{}', 0, 0, '{}', '', '', k.session_id, '', k.first_seen_at, k.last_hello_at,
         k.last_hello_at, k.revoked_at, NULL, '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL
  FROM worker_key k
  WHERE k.revoked_at IS NOT NULL
    AND k.worker_id < :cursor   --? cursor
) AS listed
ORDER BY id DESC
LIMIT :limit
