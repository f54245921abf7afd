SELECT task_id, generation, run_id, retried_as, retried_at, retried_by
FROM dead_letter
WHERE id = :id
