package dev.belay.simulation.guard;

/** What keeps two that do not know of each other from harm. The sabotage test takes them out. */
public enum RaceGuard {
  /** A leader's write compares its epoch with the one in force. */
  EPOCH,
  /** A result is written only to the dispatch that it names. */
  DISPATCH_ID,
  /** A result is written only to the generation that its dispatch was claimed in. */
  GENERATION,
  /** A result is written only for the session that the dispatch is bound to. */
  SESSION,
  /** A change is written only to a task that is where the change begins. */
  FROM_STATE,
  /** A claim is written only for the session that is registered. */
  CLAIM_SESSION,
  /** A strict task is not claimed before its lost attempt must have ended. */
  LEASE_ENDS_AT,
  /** Such a wait counts by what is sure, and not by a clock that somebody may have set. */
  SAFE_CLOCK,
  /** The end of a connection is written only of the one that is registered. */
  CLOSED_CONNECTION,
  /** The reaper ends nothing of a worker that has given a sign since. */
  WITNESS,
  /** Something that was dispatched has a while to start. */
  DISPATCH_GRACE,
  /** A new leader gives nothing up for a while. */
  ELECTION_GRACE,
  /** What is about to run is in the journal first. */
  JOURNAL_BEFORE_EXEC,
  /** A result is answered after it was committed. */
  ACK_AFTER_COMMIT,
  /** A batch that names a dispatch twice is one change. */
  FOLD_BY_DISPATCH,
  /** Marks are read before the runs, and only those that were read are deleted. */
  MARK_BEFORE_READ,
  /** A run starts only when its turn has come, counted under the lock of its workflow. */
  MAX_ACTIVE
}
