package dev.belay.benchmarks.peer;

/**
 * The systems that Belay is compared with.
 *
 * <p>A comparison is fair only when the peer runs at its best: below its expected rate, the machine
 * or our use of the peer is at fault, and the benchmark is void.
 */
public enum PeerKind {
  /** Its documentation shows about 10,000 a second with lock-and-fetch on a small PostgreSQL. */
  DB_SCHEDULER("db-scheduler", 1, 4_000),
  /** Measured at 4,600 a second on two cores; its makers show more on larger machines. */
  JOBRUNR("jobrunr", 4, 1_500),
  /** Measured at 520 a second on two cores; each trigger takes the single lock of its tables. */
  QUARTZ("quartz", 20, 150),
  /** Not a peer but the upper limit: our rows, written without a scheduler. */
  LIMIT("limit", 1, 4_000);

  private final String label;
  private final int divisor;
  private final int expected;

  PeerKind(String label, int divisor, int expected) {
    this.label = label;
    this.divisor = divisor;
    this.expected = expected;
  }

  public String label() {
    return label;
  }

  /** It gets this many times fewer tasks than Belay, so its run does not take minutes. */
  public int divisor() {
    return divisor;
  }

  /** Tasks per second; a lower rate means that we used it badly. */
  public int expected() {
    return expected;
  }

  public static PeerKind of(String label) {
    for (var kind : values()) {
      if (kind.label.equals(label)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("no peer is called " + label);
  }
}
