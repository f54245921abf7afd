package dev.belay.session.gateway;

import dev.belay.domain.id.SessionId;
import dev.belay.session.gateway.MailboxEntry.State;
import org.jspecify.annotations.Nullable;

/** Decides what to do about one active dispatch of a worker, given the worker's view. Pure. */
final class Sync {

  enum Decision {
    /** Both agree, or the worker will soon report more. */
    LEAVE,
    /** The worker has not started it, and may not have it: send it. */
    ASSIGN,
    /** It started, but the database has no start: the worker reports it after the welcome. */
    AWAIT_START,
    /**
     * Bound to an older session. If it provably never started: take it over, then send it. If it
     * outlived that session: take it over.
     */
    REBIND,
    /** The worker started it in this session and no longer holds it. */
    LOST_NOT_REPORTED,
    /** It died with an earlier process of the worker, or nothing proves that it did not. */
    LOST_WORKER_RESTARTED
  }

  private Sync() {}

  /**
   * @param entry as the database has it
   * @param held as the worker has it; null when it does not hold it
   * @param mine the current session; any other one in the entry is older, and over
   * @param journalComplete whether "not held" means that it never started in an older session
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
      // an older session recorded it, and a connection whose Assign was lost bound it to this one:
      // the agent then starts it, and otherwise acknowledges it again; a strict one that runs for
      // the database missed the grant, and asks again
      case Known.Preparing _ -> dispatched ? Decision.ASSIGN : Decision.LEAVE;
      case Known.Running _ -> dispatched ? Decision.AWAIT_START : Decision.LEAVE;
      case Known.Died _ -> Decision.LOST_WORKER_RESTARTED;
    };
  }

  /**
   * @param unbegun it provably never started: a journal that lost its end with the machine may have
   *     recorded a start after that
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
