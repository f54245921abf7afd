package dev.belay.settings;

/** Defaults that depend on the machine. */
final class Machine {

  private static final int SLOTS_MIN = 4;

  private Machine() {}

  /** Leaves the other processors to the rest of the process, however much there is to compute. */
  static int halfOfTheProcessors() {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }

  /** A few more than processors, because tasks often wait for something else. */
  static int slots() {
    return Math.max(SLOTS_MIN, 2 * Runtime.getRuntime().availableProcessors());
  }
}
