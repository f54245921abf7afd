package dev.belay.simulation.command;

import dev.belay.simulation.Coverage;
import dev.belay.simulation.Result;
import dev.belay.simulation.Result.Failure;
import dev.belay.simulation.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** Fails, and counts, as a test tells it. */
final class FakeSimulator implements Simulator {
  static final int LINES = 100;

  Predicate<Scenario> fails = scenario -> false;
  ToLongFunction<Scenario> events = scenario -> 2_500;
  ToLongFunction<Scenario> faults = scenario -> 25;
  Function<Scenario, String> message = scenario -> "two at once";
  Set<String> rules = Set.of("agent_lost", "never_started");
  Set<String> occurring = rules;

  @Override
  public Result run(Scenario scenario) {
    return trace(scenario, line -> {});
  }

  @Override
  public Result trace(Scenario scenario, Consumer<String> lines) {
    var trace = IntStream.rangeClosed(1, LINES).mapToObj(n -> "line " + n).toList();
    trace.forEach(lines);
    var coverage = new Coverage();
    occurring.forEach(name -> coverage.count(Coverage.Kind.RULE, name));
    return new Result(
        scenario,
        "hash-" + scenario.seed(),
        events.applyAsLong(scenario),
        faults.applyAsLong(scenario),
        coverage,
        Duration.ofMinutes(5),
        fails.test(scenario)
            ? Optional.of(new Failure(message.apply(scenario), List.copyOf(trace)))
            : Optional.empty());
  }

  @Override
  public Set<String> expected(Coverage.Kind kind) {
    return kind == Coverage.Kind.RULE ? rules : Set.of();
  }
}
