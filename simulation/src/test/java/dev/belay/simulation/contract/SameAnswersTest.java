package dev.belay.simulation.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is asked in whatever order, both stores answer and write the same. */
class SameAnswersTest {

  private static final int CALLS = 300;
  private static final PostgresGround POSTGRES = new PostgresGround();
  private static final MemoryGround MEMORY = new MemoryGround();

  @AfterAll
  static void close() {
    POSTGRES.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void both_stores_answer_the_same(long seed) {
    try (var stores = new Lockstep(POSTGRES.open(), MEMORY.open())) {
      new Chatter(stores, seed).talk(CALLS);
    }
  }
}
