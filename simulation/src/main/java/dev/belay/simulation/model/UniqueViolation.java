package dev.belay.simulation.model;

/** The database refuses the row, now and later. */
final class UniqueViolation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UniqueViolation(String what) {
    super("duplicate key in " + what, null, false, false);
  }
}
