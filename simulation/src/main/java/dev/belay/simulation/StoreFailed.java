package dev.belay.simulation;

/** A store call that failed because the simulation wanted it to. */
final class StoreFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoreFailed(String message) {
    super(message, null, false, false);
  }
}
