package dev.belay.simulation.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.simulation.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class RunnerTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final FakeSimulator simulator = new FakeSimulator();
  private final List<Long> taken = new ArrayList<>();

  @Test
  void results_come_in_the_order_of_the_seeds_whoever_is_done_first() throws Exception {
    var laterOnes = new CountDownLatch(9);
    simulator.fails =
        scenario -> {
          if (scenario.seed() == 1) {
            await(laterOnes);
          } else {
            laterOnes.countDown();
          }
          return false;
        };

    run(new SeedRange(1, 10), LONG, () -> 0);

    assertThat(taken).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
  }

  @Test
  void it_ends_where_the_sink_has_enough() throws Exception {
    new Runner(simulator, 2, () -> 0)
        .run(
            new SeedRange(1, 1_000_000),
            LONG,
            Scenario::of,
            result -> {
              taken.add(result.scenario().seed());
              return taken.size() < 3;
            });

    assertThat(taken).containsExactly(1L, 2L, 3L);
  }

  @Test
  void no_seed_begins_when_the_time_is_over() throws Exception {
    var clock = new AtomicLong();

    run(
        new SeedRange(1, 1_000_000),
        Duration.ofMinutes(1),
        () -> clock.getAndAdd(Duration.ofSeconds(1).toNanos()));

    assertThat(taken).hasSizeBetween(1, 60).first().isEqualTo(1L);
  }

  @Test
  void a_bug_of_the_simulator_is_told_with_its_seed() {
    simulator.fails =
        scenario -> {
          throw new IllegalStateException("no such thing");
        };

    assertThatThrownBy(() -> run(new SeedRange(5, 6), LONG, () -> 0))
        .hasMessageContaining("seed 5")
        .hasRootCauseMessage("no such thing");
  }

  private void run(SeedRange seeds, Duration timeMax, LongSupplier nanos)
      throws InterruptedException {
    new Runner(simulator, 2, nanos)
        .run(seeds, timeMax, Scenario::of, result -> taken.add(result.scenario().seed()));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
