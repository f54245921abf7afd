-- Each dispatch of the task has a DISPATCHED history row; attempt has no index on the task.
SELECT a.dispatch_id AS dispatch, a.number, a.generation, a.worker_id AS worker, w.name AS worker_name,
       a.session_id AS session, a.epoch, a.dispatched_at, a.started_at, a.ended_at, a.end_reason, a.exit_code,
       a.last_heard_at, a.signal, a.detail, a.abort_reason, a.late_outcome, a.output_lost
FROM (SELECT h.id, h.dispatch_id
      FROM history h
      WHERE h.task_id = :task AND h.to_state = 'DISPATCHED'
      ORDER BY h.id DESC
      LIMIT :limit) d
JOIN attempt a ON a.dispatch_id = d.dispatch_id
LEFT JOIN worker w ON w.id = a.worker_id
ORDER BY d.id
