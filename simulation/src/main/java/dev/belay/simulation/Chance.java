package dev.belay.simulation;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** All random draws, from one seed. */
record Chance(RandomGenerator random) {

  boolean happens(double probability) {
    return random.nextDouble() < probability;
  }

  Duration upTo(Duration max) {
    return Duration.ofNanos(random.nextLong(max.toNanos() + 1));
  }

  Duration between(Duration min, Duration max) {
    return Duration.ofNanos(random.nextLong(min.toNanos(), max.toNanos() + 1));
  }

  /** An exponential wait with this mean. The same on any machine. */
  Duration about(Duration mean) {
    return Duration.ofNanos((long) (-StrictMath.log(1 - random.nextDouble()) * mean.toNanos()));
  }

  /** Mostly within {@code usual}, sometimes up to {@code max}. */
  Duration mostly(Duration usual, double rarely, Duration max) {
    return upTo(happens(rarely) ? max : usual);
  }

  int between(int min, int max) {
    return random.nextInt(min, max + 1);
  }

  <T> T oneOf(List<T> things) {
    return things.get(random.nextInt(things.size()));
  }
}
