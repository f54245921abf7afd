SELECT state FROM task WHERE id = :id
