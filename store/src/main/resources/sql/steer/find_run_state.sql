SELECT state FROM run WHERE id = :run
