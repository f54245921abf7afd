DELETE FROM backfill
WHERE id IN (SELECT b.id
             FROM backfill b
             WHERE b.ended_at < belay_now() - :retention_seconds * interval '1 second'
               AND NOT EXISTS (SELECT 1 FROM backfill_fire f WHERE f.backfill_id = b.id)
             LIMIT :limit)
