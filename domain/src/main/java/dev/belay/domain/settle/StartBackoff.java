package dev.belay.domain.settle;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a task waits after workers could not start it, and how often it is tried.
 *
 * @param first the wait after the first failure; it doubles with each further one
 * @param max the longest wait
 * @param jitter a random part up to this is added, so that tasks do not come back together
 * @param attempts after so many failures the task is given up
 */
public record StartBackoff(Duration first, Duration max, Duration jitter, int attempts) {

  public static final StartBackoff DEFAULT =
      new StartBackoff(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMillis(500), 50);

  /** More doublings than any first wait needs to reach any longest one. */
  private static final int DOUBLINGS_MAX = 40;

  public StartBackoff {
    if (!first.isPositive() || max.compareTo(first) < 0 || jitter.isNegative() || attempts < 1) {
      throw new IllegalArgumentException("not a backoff");
    }
  }

  /** Whether one more failure is the last. */
  boolean isLast(int failedBefore) {
    return failedBefore + 1 >= attempts;
  }

  Duration wait(int failedBefore, RandomGenerator random) {
    long doubled = 1L << Math.min(failedBefore, DOUBLINGS_MAX);
    Duration wait = max.dividedBy(doubled).compareTo(first) < 0 ? max : first.multipliedBy(doubled);
    return jitter.isZero() ? wait : wait.plusMillis(random.nextLong(jitter.toMillis() + 1));
  }
}
