package dev.belay.simulation;

/** Something that must never be true was seen. An Error, so that no loop of the engine goes on. */
public final class InvariantBroken extends AssertionError {
  private static final long serialVersionUID = 1L;

  InvariantBroken(String message) {
    super(message);
  }

  static void unless(boolean holds, String message) {
    if (!holds) {
      throw new InvariantBroken(message);
    }
  }
}
