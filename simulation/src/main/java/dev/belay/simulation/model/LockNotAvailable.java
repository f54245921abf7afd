package dev.belay.simulation.model;

/**
 * Another transaction holds the row. It would have to be waited for, but it is in the middle of the
 * very call that this one is inside of: as with a lock timeout, nothing was done.
 */
public final class LockNotAvailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LockNotAvailable(String what) {
    super("waited too long for a lock on " + what, null, false, false);
  }
}
