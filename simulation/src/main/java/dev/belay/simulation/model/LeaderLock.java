package dev.belay.simulation.model;

import org.jspecify.annotations.Nullable;

/** Held by a session until it ends, like an advisory lock. */
final class LeaderLock {

  private @Nullable Session holder;

  /** A connection of a replica that leads, or campaigns. */
  static final class Session {
    private @Nullable Transaction open;
    private boolean ended;

    boolean isEnded() {
      return ended;
    }

    /** Sets the transaction that ends with the session. */
    void uses(Transaction transaction) {
      open = transaction;
    }

    /** Ends it from either side, and rolls back its open transaction. */
    void end() {
      ended = true;
      if (open != null) {
        open.terminate();
      }
    }
  }

  /** Reentrant for its holder. */
  boolean tryTake(Session by) {
    if (holder == null || holder.isEnded()) {
      holder = by;
    }
    return holder == by;
  }
}
