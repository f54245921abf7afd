package dev.belay.simulation.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.belay.simulation.FaultKind;
import dev.belay.simulation.Scenario;
import dev.belay.simulation.guard.Guards;
import dev.belay.simulation.guard.RaceGuard;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulateTest {
  private final FakeSimulator simulator = new FakeSimulator();
  private final AtomicLong clock = new AtomicLong();
  private String out = "";
  private String err = "";

  @Test
  void seeds_that_pass_exit_with_zero_and_tell_what_occurred() {
    assertThat(simulate("--seeds 1..20")).isZero();
    assertThat(out)
        .containsPattern("agent_lost +20")
        .contains("PASSED: 20 seeds, 0 failed")
        .contains("seeds a second");
  }

  @Test
  void a_seed_that_fails_shows_the_end_of_its_trace_and_how_to_see_it_again() {
    simulator.fails = scenario -> scenario.seed() >= 17;

    assertThat(simulate("--seeds 1..20")).isEqualTo(1);
    assertThat(out)
        .doesNotContain("line 20\n")
        .contains("line 21\n")
        .contains("line 100\n")
        .contains("FAILED seed 17: two at once")
        .contains("./belay simulate --seed 17 --trace")
        .contains("./belay simulate --seed 17 --no-faults --tasks 0 --runs 0 --trouble 1s --trace")
        .contains("FAILED: 17 seeds, 1 failed");
  }

  @Test
  void all_that_fail_are_told_when_it_keeps_going() {
    simulator.fails = scenario -> scenario.seed() % 10 == 0;

    assertThat(simulate("--seeds 1..30 --keep-going --no-shrink")).isEqualTo(1);
    assertThat(out)
        .contains("FAILED seed 10: two at once", "FAILED seed 20:", "FAILED seed 30:")
        .contains("FAILED: 30 seeds, 3 failed")
        .doesNotContain("The smallest");
  }

  @Test
  void a_trace_is_whole_when_it_is_asked_for() {
    assertThat(simulate("--seed 4 --trace")).isZero();
    assertThat(out).startsWith("line 1\n").contains("line 100\n");
  }

  @Test
  void what_never_occurred_in_500_seeds_fails_them() {
    simulator.occurring = Set.of("agent_lost");

    assertThat(simulate("--seeds 1..499")).isZero();
    assertThat(simulate("--seeds 1..500")).isEqualTo(1);
    assertThat(out)
        .contains("The rule never_started never occurred in 500 seeds.")
        .containsPattern("never_started +0");
  }

  @Test
  void a_seed_with_too_few_events_or_faults_fails() {
    simulator.events = scenario -> scenario.seed() == 3 ? 1_999 : 2_000;
    assertThat(simulate("--seeds 1..5")).isEqualTo(1);
    assertThat(out).contains("Seed 3 has only 1999 events; each seed must have at least 2000.");
    assertThat(simulate("--seeds 4..5")).isZero();

    simulator.faults = scenario -> scenario.seed() == 5 ? 19 : 20;
    assertThat(simulate("--seeds 4..5")).isEqualTo(1);
    assertThat(out).contains("Seed 5 has only 19 faults; each seed must have at least 20.");
  }

  @Test
  void a_smaller_world_need_not_show_as_much() {
    simulator.events = scenario -> 10;
    simulator.occurring = Set.of();
    assertThat(simulate("--seeds 1..600 --tasks 1")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--seed 1 --seeds 1..2",
        "--seeds 5",
        "--seeds 5..1",
        "--seeds 1..",
        "--seed x",
        "--seed 1 --only NO_SUCH",
        "--seed 1 --tasks -1",
        "--seed 1 --steps 0",
        "--seed 1 --trouble soon",
        "--seed 1 --threads 0",
        "--seed 1 --remove-guard NONE",
        "--seed 1 unknown"
      })
  void what_cannot_be_understood_exits_with_2_and_says_why(String line) {
    assertThat(simulate(line)).isEqualTo(2);
    assertThat(out).isEmpty();
    assertThat(err).contains("Usage: belay simulate");
  }

  @Test
  void help_names_the_faults_and_the_guards() {
    assertThat(simulate("--help")).isZero();
    for (var fault : FaultKind.values()) {
      assertThat(out.replaceAll("\\s", "")).contains(fault.name());
    }
    for (var guard : RaceGuard.values()) {
      assertThat(out.replaceAll("\\s", "")).contains(guard.name());
    }
  }

  static List<Scenario> scenarios() {
    var usual = Scenario.of(17);
    return List.of(
        usual,
        usual.withFaults(EnumSet.noneOf(FaultKind.class)),
        usual.withFaults(EnumSet.of(FaultKind.DISK_LOST, FaultKind.AGENT_CRASH)),
        usual.withFaults(EnumSet.complementOf(EnumSet.of(FaultKind.DISK_LOST))),
        usual.withWork(3, 0).withTrouble(Duration.ofMillis(90_500)).withStepsMax(77),
        usual.withGuards(Guards.without(List.of(RaceGuard.EPOCH, RaceGuard.SESSION))));
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void the_command_that_is_told_runs_the_same_scenario(Scenario scenario) {
    var seen = new ArrayList<Scenario>();
    simulator.fails = seen::add;
    simulate(Replay.command(scenario).replace("./belay simulate ", "") + " --no-shrink");
    assertThat(seen).containsExactly(scenario);
  }

  @Test
  void output_does_not_depend_on_the_threads() {
    simulator.fails = scenario -> scenario.seed() % 50 == 0;
    simulate("--seeds 1..200 --keep-going --threads 1");
    var one = withoutTimes(out);
    simulate("--seeds 1..200 --keep-going --threads 7");
    assertThat(withoutTimes(out)).isEqualTo(one);
  }

  @Test
  void programs_read_json() throws Exception {
    simulator.fails = scenario -> scenario.seed() == 3;

    assertThat(simulate("--seeds 1..3 -o json")).isEqualTo(1);
    JsonNode answer = new JsonMapper().readTree(out);
    assertThat(answer.path("passed").asBoolean(true)).isFalse();
    assertThat(answer.path("seeds").asLong()).isEqualTo(3);
    assertThat(answer.path("coverage").path("rule").path("agent_lost").asLong()).isEqualTo(3);
    assertThat(answer.path("failures").path(0).path("seed").asLong()).isEqualTo(3);
    assertThat(answer.path("smallest").path("replay").asText()).contains("--seed 3");
    assertThat(answer.path("trace_hash").asText()).isNotEmpty();
  }

  @Test
  void a_long_run_tells_how_far_it_is() {
    simulator.events =
        scenario -> {
          clock.addAndGet(Duration.ofSeconds(1).toNanos());
          return 2_500;
        };
    assertThat(simulate("--seeds 1..60")).isZero();
    assertThat(err).containsPattern("simulate: \\d+ of 60 seeds, .* a second, 0 failed");
  }

  private static String withoutTimes(String text) {
    return text.lines()
        .filter(line -> !line.contains("seeds a second"))
        .collect(Collectors.joining("\n"));
  }

  private int simulate(String line) {
    var answer = new ByteArrayOutputStream();
    var progress = new ByteArrayOutputStream();
    var command =
        new Simulate(
            simulator,
            new PrintStream(answer, true, StandardCharsets.UTF_8),
            new PrintStream(progress, true, StandardCharsets.UTF_8),
            clock::get);
    int status = Simulate.execute(command, line.isEmpty() ? new String[0] : line.split(" "));
    out = answer.toString(StandardCharsets.UTF_8);
    err = progress.toString(StandardCharsets.UTF_8);
    return status;
  }
}
