DELETE FROM backfill_fire
WHERE (backfill_id, at) IN (SELECT f.backfill_id, f.at
                            FROM backfill b
                            JOIN backfill_fire f ON f.backfill_id = b.id
                            WHERE b.ended_at < belay_now() - :retention_seconds * interval '1 second'
                            LIMIT :limit)
