package dev.belay.simulation.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.belay.simulation.FaultKind;
import dev.belay.simulation.Scenario;
import dev.belay.simulation.guard.Guards;
import dev.belay.simulation.guard.RaceGuard;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A simulation that cannot fail proves nothing: each guard that is taken out must be missed. Those
 * that matter only after something rare are missed sooner where little else goes wrong, or where
 * many tasks meet. CLAIM_SESSION is not: without it a claim for a session that is over is found by
 * the reaper, and only ClaimContract stands for it.
 */
class SabotageTest {
  private static final long SEEDS_MAX = 2_000;
  private static final int THREADS = 2;

  private static final int MANY_TASKS = 120;

  @ParameterizedTest
  @EnumSource(
      value = RaceGuard.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {
        "CLAIM_SESSION",
        "LEASE_ENDS_AT",
        "SAFE_CLOCK",
        "SEEN_TRIGGER",
        "WITNESS",
        "BUCKET_SIZE",
        "STILL_WAITS"
      })
  void seeds_notice_that_there_is_no(RaceGuard guard) throws InterruptedException {
    notice(guard, Scenario.of(1));
  }

  static Stream<Arguments> rarely_missed() {
    return Stream.of(
        arguments(RaceGuard.LEASE_ENDS_AT, little(FaultKind.NETWORK_CUT)),
        arguments(RaceGuard.SAFE_CLOCK, little(FaultKind.NETWORK_CUT, FaultKind.CLOCK_STEP)),
        arguments(RaceGuard.SEEN_TRIGGER, little(FaultKind.STORE_SLOW, FaultKind.CLOCK_STEP)),
        arguments(
            RaceGuard.WITNESS,
            little(FaultKind.NETWORK_CUT, FaultKind.STORE_SLOW).withWork(MANY_TASKS / 2, 1)),
        arguments(RaceGuard.BUCKET_SIZE, Scenario.of(1).withWork(MANY_TASKS, 1)),
        arguments(RaceGuard.STILL_WAITS, Scenario.of(1).withWork(MANY_TASKS, 1)));
  }

  private static Scenario little(FaultKind... faults) {
    return Scenario.of(1).withFaults(Set.of(faults));
  }

  @ParameterizedTest
  @MethodSource("rarely_missed")
  void where_little_goes_wrong_or_much_is_to_do_seeds_notice_that_there_is_no(
      RaceGuard guard, Scenario like) throws InterruptedException {
    notice(guard, like);
  }

  private static void notice(RaceGuard guard, Scenario like) throws InterruptedException {
    var guards = Guards.without(List.of(guard));
    // The seeds before show nothing; the proof of removed guards runs them, too.
    long first =
        switch (guard) {
          case SESSION -> 1_000;
          case STILL_FULL, STILL_WAITS -> 430;
          case BUCKET_SIZE, SAFE_CLOCK, SEEN_TRIGGER -> 200;
          default -> 1;
        };
    var summary = new Summary();
    var simulator = new RealSimulator();
    new Runner(simulator, THREADS, System::nanoTime)
        .run(
            new SeedRange(first, first + SEEDS_MAX - 1),
            Duration.ofHours(1),
            seed -> like.withSeed(seed).withGuards(guards),
            result -> {
              summary.add(result);
              return result.failure().isEmpty();
            });
    assertThat(summary.failures()).as("failed in %d seeds", summary.seeds()).isNotEmpty();
    var failed = summary.failures().getFirst();
    assertThat(simulator.run(failed.scenario().withGuards(Guards.ALL)).failure())
        .as("the same seed with all guards, or it shows another bug")
        .isEmpty();
    System.out.printf(
        "without %s: seed %d: %s%n",
        guard, failed.scenario().seed(), failed.failure().orElseThrow().message());
  }
}
