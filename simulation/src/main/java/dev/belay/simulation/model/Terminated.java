package dev.belay.simulation.model;

/** The session was ended in the middle of its transaction, which was rolled back. */
final class Terminated extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Terminated() {
    super("terminating connection due to administrator command", null, false, false);
  }
}
