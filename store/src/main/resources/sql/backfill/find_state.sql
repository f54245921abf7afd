SELECT state FROM backfill WHERE id = :id
