SELECT state FROM run WHERE id = :id
