-- One that still has instants to decide is due. Events and ends of runs that wait are decided by the version of their time.
DELETE FROM trigger_version
WHERE id IN (SELECT id
             FROM trigger_version old
             WHERE until_at < (SELECT belay_now() - make_interval(secs => :retention_seconds)) AND due_at IS NULL
               AND NOT EXISTS (SELECT FROM event_fire f WHERE f.version_id = old.id AND f.outcome = 'pending')
               AND NOT EXISTS (SELECT FROM event_fire f WHERE f.version_id = old.id AND f.outcome = 'waiting')
               AND NOT EXISTS (SELECT
                               FROM chain_fire f
                               WHERE f.trigger_id = old.trigger_id AND f.version_id = old.id AND f.outcome = 'pending')
             ORDER BY until_at
             LIMIT :limit
             FOR UPDATE SKIP LOCKED)
