package dev.belay.session.gateway;

import java.time.Duration;

/**
 * Detects a worker that sends heartbeats far more often than requested. Each heartbeat is a write
 * to the database, so one worker must not send any number. One caller at a time.
 */
public final class HeartbeatRate {

  /** Heartbeats may come this many times as often as requested. */
  private static final int TIMES_AS_OFTEN_MAX = 10;

  /** Allowed burst: heartbeats queue up while this process or the network stalls. */
  private static final int AT_ONCE_MAX = 100;

  private final long spacingNanos;
  private boolean begun;

  /** When all heartbeats so far would have arrived at the maximum rate. */
  private long dueNanos;

  /**
   * @param interval requested between heartbeats
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
