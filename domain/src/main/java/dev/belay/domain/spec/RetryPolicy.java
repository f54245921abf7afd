package dev.belay.domain.spec;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How often and when a task is retried.
 *
 * @param max retries after an error of the task itself
 * @param lostMax retries after the worker was lost
 * @param crashMax retries after the task died by a signal, or with its machine
 * @param unavailableMax retries after the task reported that what it needs is out of reach
 * @param onlyIf the condition of every retry; null means none
 */
public record RetryPolicy(
    int max,
    Backoff backoff,
    int lostMax,
    int crashMax,
    int unavailableMax,
    @Nullable Template onlyIf) {

  public static final int LOST_MAX_DEFAULT = 3;
  public static final int CRASH_MAX_DEFAULT = 5;
  public static final int UNAVAILABLE_MAX_DEFAULT = 5;
  public static final RetryPolicy DEFAULT = new RetryPolicy(0, Backoff.DEFAULT, LOST_MAX_DEFAULT);

  public RetryPolicy(int max, Backoff backoff, int lostMax) {
    this(max, backoff, lostMax, CRASH_MAX_DEFAULT, UNAVAILABLE_MAX_DEFAULT, null);
  }

  /**
   * @param jitter when true, the delay is drawn from the upper half of the computed one
   */
  public record Backoff(Duration initial, double factor, Duration max, boolean jitter) {
    public static final Backoff DEFAULT =
        new Backoff(Duration.ofSeconds(10), 2, Duration.ofMinutes(5), true);
  }
}
