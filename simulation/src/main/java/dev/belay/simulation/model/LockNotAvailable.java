package dev.belay.simulation.model;

/**
 * Another transaction holds the row. Waiting is impossible, because that one is in the middle of
 * the call that surrounds this one: fails like a lock timeout, without effect.
 */
public final class LockNotAvailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LockNotAvailable(String what) {
    super("waited too long for a lock on " + what, null, false, false);
  }
}
