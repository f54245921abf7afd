-- One index for every task that waits for a time, whether it then starts (PENDING) or ends (DEFERRED): the leader reads its first
-- entry. A DEFERRED task with a time is no longer the reaper's, so the index of waits that expire leaves it out.
DROP INDEX task_due;
CREATE INDEX task_due ON task (not_before) WHERE state IN ('PENDING', 'DEFERRED');

DROP INDEX task_awaiting;
CREATE INDEX task_awaiting ON task (state_since)
  WHERE state = 'APPROVAL_REQUIRED' OR (state = 'DEFERRED' AND not_before IS NULL);
