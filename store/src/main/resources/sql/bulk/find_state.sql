SELECT state FROM bulk_operation WHERE id = :id
