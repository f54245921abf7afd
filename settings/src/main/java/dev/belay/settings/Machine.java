package dev.belay.settings;

/** What defaults take from the machine. */
final class Machine {

  private static final int SLOTS_MIN = 4;

  private Machine() {}

  /** So that the others are free for the rest of the process, whatever there is to compute. */
  static int halfOfTheProcessors() {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }

  /** Tasks often wait for something else, so a few more than there are processors. */
  static int slots() {
    return Math.max(SLOTS_MIN, 2 * Runtime.getRuntime().availableProcessors());
  }
}
