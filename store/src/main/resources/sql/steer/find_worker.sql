SELECT 1 FROM worker WHERE id = :worker
