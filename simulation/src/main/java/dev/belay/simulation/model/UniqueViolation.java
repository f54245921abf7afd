package dev.belay.simulation.model;

/** The database rejects the row permanently. */
final class UniqueViolation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UniqueViolation(String what) {
    super("duplicate key in " + what, null, false, false);
  }
}
