package dev.belay.simulation;

/** An invariant was violated. An Error, so that no loop of the engine survives it. */
public final class InvariantBroken extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final Invariant invariant;

  InvariantBroken(String message) {
    this(Invariant.NO_BUG, message);
  }

  InvariantBroken(Invariant invariant, String message) {
    super(message);
    this.invariant = invariant;
  }

  Invariant invariant() {
    return invariant;
  }
}
