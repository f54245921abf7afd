SELECT a.dispatch_id AS dispatch, a.number, a.generation, a.worker_id AS worker, w.name AS worker_name,
       a.session_id AS session, a.epoch, a.dispatched_at, a.started_at, a.ended_at, a.end_reason, a.exit_code,
       a.last_heard_at, a.signal, a.detail, a.abort_reason, a.abort_at, a.abort_by, a.abort_note, a.late_outcome, a.output_lost
FROM (SELECT attempt.*
      FROM attempt
      WHERE attempt.task_id = :task
      ORDER BY attempt.number DESC
      LIMIT :limit) a
LEFT JOIN worker w ON w.id = a.worker_id
ORDER BY a.number
