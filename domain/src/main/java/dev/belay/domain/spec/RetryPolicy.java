package dev.belay.domain.spec;

import java.time.Duration;

/**
 * How often and when a task is retried.
 *
 * @param max retries after an error of the task itself
 * @param lostMax retries after the worker was lost
 * @param crashMax retries after the task died by a signal, or with its machine
 */
public record RetryPolicy(int max, Backoff backoff, int lostMax, int crashMax) {

  public static final int LOST_MAX_DEFAULT = 3;
  public static final int CRASH_MAX_DEFAULT = 5;
  public static final RetryPolicy DEFAULT = new RetryPolicy(0, Backoff.DEFAULT, LOST_MAX_DEFAULT);

  public RetryPolicy(int max, Backoff backoff, int lostMax) {
    this(max, backoff, lostMax, CRASH_MAX_DEFAULT);
  }

  /**
   * @param jitter when true, the delay is drawn from the upper half of the computed one
   */
  public record Backoff(Duration initial, double factor, Duration max, boolean jitter) {
    public static final Backoff DEFAULT =
        new Backoff(Duration.ofSeconds(10), 2, Duration.ofMinutes(5), true);
  }
}
