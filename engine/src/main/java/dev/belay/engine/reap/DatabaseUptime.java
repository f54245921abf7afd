package dev.belay.engine.reap;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long the database has answered without a gap. The replica heartbeat feeds it, not the
 * reaper's rounds: a locked row may slow those down, and they may fail without a gap. One thread
 * writes, any thread reads.
 */
public final class DatabaseUptime {

  private static final Duration LONG_AGO = Duration.ofDays(1);

  private final Duration gap;
  private final LongSupplier ticker;
  private volatile long beaten;
  private volatile long steadyFrom;

  /**
   * @param gap a longer time between two heartbeats is an outage
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

  /** Time since the last gap; zero during one. */
  public Duration steadyFor() {
    long now = ticker.getAsLong();
    return now - beaten > gap.toNanos() ? Duration.ZERO : Duration.ofNanos(now - steadyFrom);
  }
}
