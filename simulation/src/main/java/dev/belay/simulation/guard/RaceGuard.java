package dev.belay.simulation.guard;

/** Guards against races between independent actors. The sabotage test removes them. */
public enum RaceGuard {
  /** A leader's write compares its epoch with the current one. */
  EPOCH,
  /** A result applies only to the dispatch that it names. */
  DISPATCH_ID,
  /** A retry takes the attempt off the task, so no result of an earlier generation applies. */
  GENERATION,
  /** A plan moves a task only in the generation that it was made for. */
  PLANNED_GENERATION,
  /** A result applies only for the session that the dispatch is bound to. */
  SESSION,
  /** A change applies only to a task in the expected state. */
  FROM_STATE,
  /** Each generation of a run ends for itself: a trigger fires for each of its ends. */
  CHAIN_GENERATION,
  /** A timer fires only when its time has come by the database's clock. */
  NOT_BEFORE,
  /** A claim applies only for the registered session. */
  CLAIM_SESSION,
  /** A strict task is not claimed before its lost attempt must have ended. */
  LEASE_ENDS_AT,
  /** That wait uses the safe lower bound of the time, not a clock that may be set. */
  SAFE_CLOCK,
  /** The first reason to end an attempt stays. */
  FIRST_REASON,
  /** A disconnect applies only to the registered connection. */
  CLOSED_CONNECTION,
  /** The reaper ends no attempt of a worker with a newer sign. */
  WITNESS,
  /** A dispatch gets some time to start. */
  DISPATCH_GRACE,
  /** A new leader gives nothing up for a while. */
  ELECTION_GRACE,
  /** The journal has a start before the process runs. */
  JOURNAL_BEFORE_EXEC,
  /** A result is answered after its commit. */
  ACK_AFTER_COMMIT,
  /** Marks are read before the runs, and only those marks are deleted. */
  MARK_BEFORE_READ,
  /** A run starts only when its turn has come, counted under the lock of its workflow. */
  MAX_ACTIVE,
  /** The cursor of a trigger moves only from the instant that was read. */
  SEEN_CURSOR,
  /** It moves only if nobody changed, paused or resumed the trigger since it was read. */
  SEEN_TRIGGER,
  /** A plan that was made before a cancel starts no run that the cancel reached. */
  BACKFILL_CANCEL,
  /** Only a task that still waits in its task queue is given up. */
  STILL_WAITS,
  /** Tokens that the leader has withdrawn and not spent are part of the bucket. */
  HELD_TOKENS,
  /** A bucket never has more tokens than its size. */
  BUCKET_SIZE,
  /** A new leader counts the places that are taken. */
  HELD_PLACES,
  /** What people declare counts. */
  DECLARED_LIMITS,
  /** A claim without an answer keeps its places until it cannot commit any more. */
  SETTLED_CLAIMS,
  /** A task is not cancelled for a key when a row of a holder has ended. */
  STILL_FULL
}
