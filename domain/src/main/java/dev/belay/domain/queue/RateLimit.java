package dev.belay.domain.queue;

import java.time.Duration;

/**
 * Limits how many tasks of a tenant with this key start in a time: a bucket of {@code max} tokens
 * that fills in {@code per}. Each attempt takes a token.
 */
public record RateLimit(String key, int max, Duration per) {
  public static final int MAX_MAX = 1_000_000;
  public static final Duration PER_MIN = Duration.ofMillis(100);
  public static final Duration PER_MAX = Duration.ofDays(1);

  /** Tokens that flow into the bucket. */
  public double perSecond() {
    return max * 1e9 / per.toNanos();
  }
}
