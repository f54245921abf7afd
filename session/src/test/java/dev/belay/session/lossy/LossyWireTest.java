package dev.belay.session.lossy;

import org.junit.jupiter.api.Test;

class LossyWireTest {
  private static final int SEEDS = 1_000;

  @Test
  void every_dispatch_ends_and_none_is_opened_twice_whatever_is_lost() {
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        new World(seed).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
