package dev.belay.session.gateway;

import dev.belay.domain.id.SessionId;
import dev.belay.protocol.agent.v1.Held;
import dev.belay.session.gateway.MailboxEntry.State;
import org.jspecify.annotations.Nullable;

/** What to do about one active dispatch of a worker, given what the worker says of it. Pure. */
final class Sync {

  /** What follows from the comparison. */
  enum Decision {
    /** Both agree, or the worker is about to say more. */
    LEAVE,
    /** The worker has not started it, and may not have it: send it. */
    ASSIGN,
    /** It started, and the database has not heard: the worker says when, after the welcome. */
    AWAIT_START,
    /**
     * Bound to a session that is over. It provably never started: take it over, then send it. Or it
     * outlived that session: take it over.
     */
    REBIND,
    /** The worker started it in this session and does not know it any more. */
    LOST_NOT_REPORTED,
    /** It died with an earlier process of the worker, or nobody can say that it did not. */
    LOST_WORKER_RESTARTED
  }

  private Sync() {}

  /**
   * @param entry as the database has it
   * @param phase as the worker has it; null when it does not hold it
   * @param adopted it was started by an older session of the worker and lives on in this one
   * @param mine the session that speaks; another one in the entry is an older one, and over
   * @param journalComplete whether "does not hold it" means that it never started in an older one
   */
  static Decision decide(
      MailboxEntry entry,
      Held.@Nullable Phase phase,
      boolean adopted,
      SessionId mine,
      boolean journalComplete) {
    boolean dispatched = entry.state() == State.DISPATCHED;
    return entry.session().equals(mine)
        ? ofThisSession(phase, dispatched)
        : ofOlderSession(phase, adopted, dispatched, journalComplete);
  }

  private static Decision ofThisSession(Held.@Nullable Phase phase, boolean dispatched) {
    return switch (phase) {
      case null -> dispatched ? Decision.ASSIGN : Decision.LOST_NOT_REPORTED;
      // recorded in an older session and bound to this one by a connection whose Assign was lost:
      // the agent starts it then, and acknowledges it again in any other case; one that runs for
      // the database and is strict has not heard so, and asks again
      case PREPARING -> dispatched ? Decision.ASSIGN : Decision.LEAVE;
      case ENDED -> Decision.LEAVE;
      case RUNNING -> dispatched ? Decision.AWAIT_START : Decision.LEAVE;
      case DIED -> Decision.LOST_WORKER_RESTARTED;
      case PHASE_UNSPECIFIED, UNRECOGNIZED -> throw unchecked(phase);
    };
  }

  private static Decision ofOlderSession(
      Held.@Nullable Phase phase, boolean adopted, boolean dispatched, boolean journalComplete) {
    return switch (phase) {
      case null -> dispatched && journalComplete ? Decision.REBIND : Decision.LOST_WORKER_RESTARTED;
      // a journal that lost its end with the machine may have said afterwards that it started
      case PREPARING ->
          dispatched && journalComplete ? Decision.REBIND : Decision.LOST_WORKER_RESTARTED;
      case ENDED -> Decision.LEAVE;
      case RUNNING -> adopted ? Decision.REBIND : Decision.LOST_WORKER_RESTARTED;
      case DIED -> Decision.LOST_WORKER_RESTARTED;
      case PHASE_UNSPECIFIED, UNRECOGNIZED -> throw unchecked(phase);
    };
  }

  private static IllegalArgumentException unchecked(Held.Phase phase) {
    return new IllegalArgumentException("phase was not checked: " + phase);
  }
}
