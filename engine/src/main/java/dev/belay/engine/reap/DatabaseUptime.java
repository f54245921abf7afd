package dev.belay.engine.reap;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How steadily the database answers, told by the replica's beats and not by the reaper's own
 * rounds: those may be slow because of a locked row, and may fail without a gap. Written by one
 * thread, read by any.
 */
public final class DatabaseUptime {

  private static final Duration LONG_AGO = Duration.ofDays(1);

  private final Duration gap;
  private final LongSupplier ticker;
  private volatile long beaten;
  private volatile long steadyFrom;

  /**
   * @param gap a longer time between two beats is an outage
   * @param ticker monotonic nanoseconds
   */
  public DatabaseUptime(Duration gap, LongSupplier ticker) {
    this.gap = gap;
    this.ticker = ticker;
    this.beaten = ticker.getAsLong();
    this.steadyFrom = beaten - LONG_AGO.toNanos();
  }

  /** The database answered. */
  public void beat() {
    long now = ticker.getAsLong();
    if (now - beaten > gap.toNanos()) {
      steadyFrom = now;
    }
    beaten = now;
  }

  /** Since when there was no gap; zero while there is one. */
  public Duration steadyFor() {
    long now = ticker.getAsLong();
    return now - beaten > gap.toNanos() ? Duration.ZERO : Duration.ofNanos(now - steadyFrom);
  }
}
