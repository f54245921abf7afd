-- Leaves a row as it is that says the same.
INSERT INTO tenant (name, description, weight, max_running, max_waiting, submit_max, submit_per_ms, declared_in, version, changed_at,
                    changed_by)
SELECT name, description, weight, max_running, max_waiting, submit_max, submit_per_ms, :declared_in, :version, belay_now(), :actor
FROM unnest(CAST(:names AS text[]), CAST(:descriptions AS text[]), CAST(:weights AS int[]), CAST(:max_runnings AS int[]),
            CAST(:max_waitings AS int[]), CAST(:submit_maxes AS int[]), CAST(:submit_per_ms AS bigint[]))
     AS declared (name, description, weight, max_running, max_waiting, submit_max, submit_per_ms)
ON CONFLICT (name) DO UPDATE
SET description = EXCLUDED.description, weight = EXCLUDED.weight, max_running = EXCLUDED.max_running,
    max_waiting = EXCLUDED.max_waiting, submit_max = EXCLUDED.submit_max, submit_per_ms = EXCLUDED.submit_per_ms,
    declared_in = EXCLUDED.declared_in, version = EXCLUDED.version, changed_at = EXCLUDED.changed_at, changed_by = EXCLUDED.changed_by
WHERE (tenant.description, tenant.weight, tenant.max_running, tenant.max_waiting, tenant.submit_max, tenant.submit_per_ms,
       tenant.declared_in)
      IS DISTINCT FROM (EXCLUDED.description, EXCLUDED.weight, EXCLUDED.max_running, EXCLUDED.max_waiting, EXCLUDED.submit_max,
                        EXCLUDED.submit_per_ms, EXCLUDED.declared_in)
