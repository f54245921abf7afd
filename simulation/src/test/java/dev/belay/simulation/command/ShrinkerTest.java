package dev.belay.simulation.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.simulation.FaultKind;
import dev.belay.simulation.Scenario;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
  private final FakeSimulator simulator = new FakeSimulator();

  @Test
  void what_the_failure_needs_is_all_that_stays() {
    simulator.fails =
        scenario ->
            scenario.faults().contains(FaultKind.SERVER_FROZEN)
                && scenario.faults().contains(FaultKind.LEADERSHIP_LOST)
                && scenario.tasks() >= 3
                && scenario.trouble().toSeconds() >= 10;

    var smallest = shrink(17).smallest().scenario();

    assertThat(smallest.faults())
        .containsExactlyInAnyOrder(FaultKind.SERVER_FROZEN, FaultKind.LEADERSHIP_LOST);
    assertThat(smallest.tasks()).isEqualTo(3);
    assertThat(smallest.runs()).isZero();
    assertThat(smallest.trouble()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(19));
  }

  @Test
  void a_failure_that_needs_nothing_keeps_nothing() {
    simulator.fails = scenario -> true;

    var smallest = shrink(17).smallest().scenario();

    assertThat(smallest.faults()).isEmpty();
    assertThat(smallest.tasks() + smallest.runs()).isZero();
  }

  @Test
  void a_smaller_scenario_may_fail_with_another_seed() {
    simulator.fails =
        scenario ->
            scenario.equals(Scenario.of(17))
                || (scenario.seed() % 7 == 0 && scenario.faults().contains(FaultKind.DISK_LOST));

    var smallest = shrink(17).smallest();

    assertThat(smallest.failure()).isPresent();
    assertThat(smallest.scenario().faults()).isEqualTo(EnumSet.of(FaultKind.DISK_LOST));
    assertThat(smallest.scenario().seed() % 7).isZero();
  }

  @Test
  void another_invariant_is_another_story() {
    simulator.fails = scenario -> true;
    simulator.message =
        scenario -> scenario.tasks() < 5 ? "limits: 2 of 1" : "true_end: not " + scenario.tasks();

    assertThat(shrink(17).smallest().scenario().tasks()).isEqualTo(5);
  }

  @Test
  void what_cannot_be_made_smaller_stays_as_it_is() {
    simulator.fails = scenario -> scenario.equals(Scenario.of(17));

    assertThat(shrink(17).smallest().scenario()).isEqualTo(Scenario.of(17));
  }

  @Test
  void it_ends_when_its_time_is_over() {
    simulator.fails = scenario -> true;
    var clock = new AtomicLong();
    var failed = simulator.run(Scenario.of(17));

    var shrunk =
        Shrinker.shrink(
            simulator,
            failed,
            () -> clock.getAndAdd(Duration.ofSeconds(1).toNanos()),
            Duration.ofSeconds(3));

    assertThat(shrunk.tries()).isBetween(1, 3);
    assertThat(shrunk.smallest().failure()).isPresent();
  }

  private Shrinker.Shrunk shrink(long seed) {
    var failed = simulator.run(Scenario.of(seed));
    return Shrinker.shrink(simulator, failed, () -> 0, Duration.ofSeconds(1));
  }
}
