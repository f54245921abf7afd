package dev.belay.session.gateway;

import java.time.Duration;

/**
 * Whether a worker sends heartbeats far more often than it was asked to. Each heartbeat is a write
 * to the database, so one worker must not have as many as it likes. One caller at a time.
 */
public final class HeartbeatRate {

  /** Heartbeats may come so many times as often as they were asked for. */
  private static final int TIMES_AS_OFTEN_MAX = 10;

  /** So many may come at once: they wait while this process or the line stands still. */
  private static final int AT_ONCE_MAX = 100;

  private final long spacingNanos;
  private boolean begun;

  /** When all heartbeats so far would have come, had they kept the least distance. */
  private long dueNanos;

  /**
   * @param interval between the heartbeats that were asked for
   */
  public HeartbeatRate(Duration interval) {
    this.spacingNanos = Math.max(1, interval.toNanos() / TIMES_AS_OFTEN_MAX);
  }

  /**
   * Counts a heartbeat.
   *
   * @param arrivedNanos by a monotonic clock
   * @return false when there were too many
   */
  public boolean allows(long arrivedNanos) {
    boolean idle = !begun || arrivedNanos - dueNanos > 0;
    begun = true;
    dueNanos = (idle ? arrivedNanos : dueNanos) + spacingNanos;
    return dueNanos - arrivedNanos <= AT_ONCE_MAX * spacingNanos;
  }
}
