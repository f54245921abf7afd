package dev.belay.fuzz.make;

import java.util.List;
import java.util.SplittableRandom;

/** Random choices, derived from a seed and a number. */
final class Dice {

  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final SplittableRandom random;

  private Dice(SplittableRandom random) {
    this.random = random;
  }

  static Dice at(long seed, long number) {
    return new Dice(new SplittableRandom(seed * SPREAD ^ Long.rotateLeft(number * SPREAD, 31)));
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  /** From a to b, both included. */
  int between(int a, int b) {
    return a + random.nextInt(b - a + 1);
  }

  /** True once in {@code times}. */
  boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  double share() {
    return random.nextDouble();
  }

  long any() {
    return random.nextLong();
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  @SafeVarargs
  final <T> T oneOf(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  String uuid() {
    return new java.util.UUID(any(), any()).toString();
  }
}
