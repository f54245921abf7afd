package dev.belay.benchmarks.peer;

/**
 * What Belay is compared with.
 *
 * <p>A peer is taken seriously only when it runs as it can: below its expected rate something is
 * wrong with the machine or with how the peer is used here, and the benchmark is void.
 */
public enum PeerKind {
  /** Its documentation shows about 10,000 a second with lock-and-fetch on a small PostgreSQL. */
  DB_SCHEDULER("db-scheduler", 1, 4_000),
  /** Seen at 4,600 a second on two cores; its makers show more on larger machines. */
  JOBRUNR("jobrunr", 2, 1_500),
  /** Seen at 520 a second on two cores; each trigger takes the one lock of its tables. */
  QUARTZ("quartz", 10, 150),
  /** Not a peer but the wall: our rows, written without a scheduler. Slower than one is absurd. */
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

  /** It is given this many times fewer tasks than Belay, so that its run does not take minutes. */
  public int divisor() {
    return divisor;
  }

  /** Tasks in a second, below which it was not used well. */
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
