package dev.belay.simulation;

/** Something that must never be true was seen. An Error, so that no loop of the engine goes on. */
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
