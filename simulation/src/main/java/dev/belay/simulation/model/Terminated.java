package dev.belay.simulation.model;

/** Somebody ended the session in the middle of its transaction; nothing of it was written. */
final class Terminated extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Terminated() {
    super("terminating connection due to administrator command", null, false, false);
  }
}
