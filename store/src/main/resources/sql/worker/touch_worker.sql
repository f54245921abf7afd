UPDATE worker
SET last_seen_at = belay_now(), heartbeat_number = :number, preparing = CAST(:preparing AS uuid[]),
    free_slots = :free_slots, withheld_slots = greatest(0, slots - :active - :free_slots), cpu_percent = :cpu_percent, gpu_percent = CAST(:gpu_percent AS real),
    trouble = nullif(:trouble, '')
WHERE id = :worker AND session_id = :session AND connection = :connection AND heartbeat_number < :number
RETURNING name
