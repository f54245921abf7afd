package dev.belay.simulation.model;

import org.jspecify.annotations.Nullable;

/** Held by a session until that ends, as an advisory lock is. */
final class LeaderLock {

  private @Nullable Session holder;

  /** A connection of a replica that leads, or would like to. */
  static final class Session {
    private @Nullable Transaction open;
    private boolean ended;

    boolean isEnded() {
      return ended;
    }

    /** Says which transaction ends with the session. */
    void uses(Transaction transaction) {
      open = transaction;
    }

    /** From either side; what it had open is not written. */
    void end() {
      ended = true;
      if (open != null) {
        open.terminate();
      }
    }
  }

  /** Again and again, as far as the holder itself is concerned. */
  boolean tryTake(Session by) {
    if (holder == null || holder.isEnded()) {
      holder = by;
    }
    return holder == by;
  }
}
