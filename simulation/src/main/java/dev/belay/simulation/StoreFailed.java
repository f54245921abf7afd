package dev.belay.simulation;

/** A store call that failed on the simulation's request. */
final class StoreFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean away;

  StoreFailed(String message, boolean away) {
    super(message, null, false, false);
    this.away = away;
  }

  boolean isAway() {
    return away;
  }
}
