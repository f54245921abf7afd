package dev.belay.session.gateway;

import dev.belay.domain.id.SessionId;
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
   * @param held as the worker has it; null when it does not hold it
   * @param mine the session that speaks; another one in the entry is an older one, and over
   * @param journalComplete whether "does not hold it" means that it never started in an older one
   */
  static Decision decide(
      MailboxEntry entry, Known.@Nullable Open held, SessionId mine, boolean journalComplete) {
    boolean dispatched = entry.state() == State.DISPATCHED;
    return entry.session().equals(mine)
        ? ofThisSession(held, dispatched)
        : ofOlderSession(held, dispatched && journalComplete);
  }

  private static Decision ofThisSession(Known.@Nullable Open held, boolean dispatched) {
    return switch (held) {
      case null -> dispatched ? Decision.ASSIGN : Decision.LOST_NOT_REPORTED;
      // recorded in an older session and bound to this one by a connection whose Assign was lost:
      // the agent starts it then, and acknowledges it again in any other case; one that runs for
      // the database and is strict has not heard so, and asks again
      case Known.Preparing _ -> dispatched ? Decision.ASSIGN : Decision.LEAVE;
      case Known.Running _ -> dispatched ? Decision.AWAIT_START : Decision.LEAVE;
      case Known.Died _ -> Decision.LOST_WORKER_RESTARTED;
    };
  }

  /**
   * @param unbegun it provably never started: a journal that lost its end with the machine may have
   *     said afterwards that it did
   */
  private static Decision ofOlderSession(Known.@Nullable Open held, boolean unbegun) {
    boolean mayBind =
        switch (held) {
          case null -> unbegun;
          case Known.Preparing _ -> unbegun;
          case Known.Running running -> running.adopted();
          case Known.Died _ -> false;
        };
    return mayBind ? Decision.REBIND : Decision.LOST_WORKER_RESTARTED;
  }
}
