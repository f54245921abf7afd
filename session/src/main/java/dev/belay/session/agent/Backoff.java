package dev.belay.session.agent;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Doubling delays with jitter, so that a fleet does not reconnect all at once. */
final class Backoff {
  private final Duration max;
  private final Duration min;
  private final RandomGenerator random;
  private Duration ceiling;

  Backoff(Duration min, Duration max, RandomGenerator random) {
    this.min = min;
    this.max = max;
    this.random = random;
    this.ceiling = min;
  }

  /** Between half of the ceiling and the ceiling, which doubles up to the maximum. */
  Duration next() {
    long nanos = ceiling.toNanos();
    var delay = Duration.ofNanos(nanos - random.nextLong(nanos / 2 + 1));
    var doubled = ceiling.multipliedBy(2);
    ceiling = doubled.compareTo(max) > 0 ? max : doubled;
    return delay;
  }

  void reset() {
    ceiling = min;
  }
}
