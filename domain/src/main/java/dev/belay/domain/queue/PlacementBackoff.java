package dev.belay.domain.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;

/**
 * How often a task was tried that no worker can ever run, and when it is given up. Nothing is
 * written for a try: the count follows from the time since which its task queue cannot be placed.
 *
 * @param first between the first try and the second; it doubles from try to try
 * @param max between two tries
 * @param jitterMax is added to each
 * @param triesMax the last one gives up
 */
public record PlacementBackoff(Duration first, Duration max, Duration jitterMax, int triesMax) {

  public static final PlacementBackoff DEFAULT =
      new PlacementBackoff(
          Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMillis(500), 50);

  public static final int TRIES_MAX_MAX = 1_000;

  public PlacementBackoff {
    if (!first.isPositive() || max.compareTo(first) < 0 || jitterMax.isNegative()) {
      throw new IllegalArgumentException("need 0 < first <= max and jitterMax >= 0");
    }
    if (triesMax < 1 || triesMax > TRIES_MAX_MAX) {
      throw new IllegalArgumentException("need 1 <= triesMax <= " + TRIES_MAX_MAX);
    }
  }

  /**
   * How often it was tried until now, at least once.
   *
   * @param since when it could not be placed for the first time
   * @param seed of the jitter
   */
  public int tries(Instant since, Instant now, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Instant at = since;
    for (int tries = 1; tries < triesMax; tries++) {
      at = at.plus(delay(tries, random));
      if (at.isAfter(now)) {
        return tries;
      }
    }
    return triesMax;
  }

  /** When the last try fails. */
  public Instant givenUpAt(Instant since, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Instant at = since;
    for (int tries = 1; tries < triesMax; tries++) {
      at = at.plus(delay(tries, random));
    }
    return at;
  }

  /** How long a task is tried before it is given up. */
  public Duration patience(long seed) {
    return Duration.between(Instant.EPOCH, givenUpAt(Instant.EPOCH, seed));
  }

  private Duration delay(int tries, SplittableRandom random) {
    Duration doubled = first;
    for (int i = 1; i < tries && doubled.compareTo(max) < 0; i++) {
      doubled = doubled.multipliedBy(2);
    }
    return (doubled.compareTo(max) < 0 ? doubled : max)
        .plusMillis(random.nextLong(jitterMax.toMillis() + 1));
  }
}
