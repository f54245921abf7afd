package dev.belay.simulation.command;

import dev.belay.simulation.FaultKind;
import dev.belay.simulation.Scenario;
import dev.belay.simulation.guard.Guards;
import dev.belay.simulation.guard.RaceGuard;
import dev.belay.workflow.Durations;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options that make the simulated world smaller than the default. */
final class Options {

  @Option(
      names = "--steps",
      paramLabel = "M",
      description = "End each seed after so many events, whatever is unfinished.")
  @Nullable Long steps;

  @Option(
      names = "--only",
      paramLabel = "FAULT",
      split = ",",
      description = "Only these kinds of faults: ${COMPLETION-CANDIDATES}.")
  List<FaultKind> only = List.of();

  @Option(
      names = "--without",
      paramLabel = "FAULT",
      split = ",",
      description = "All kinds of faults but these.")
  List<FaultKind> without = List.of();

  @Option(names = "--no-faults", description = "Nothing goes wrong.")
  boolean noFaults;

  @Option(names = "--tasks", paramLabel = "N", description = "Tasks that are submitted alone.")
  @Nullable Integer tasks;

  @Option(names = "--runs", paramLabel = "N", description = "Runs that are triggered.")
  @Nullable Integer runs;

  @Option(
      names = "--trouble",
      paramLabel = "TIME",
      converter = DurationText.class,
      description = "How long things go wrong, in simulated time, as 90s or 5m.")
  @Nullable Duration trouble;

  @Option(
      names = "--elections",
      paramLabel = "TIME",
      converter = DurationText.class,
      description = "Beside all else, another leader is elected this often, as 10s.")
  @Nullable Duration elections;

  @Option(
      names = "--remove-guard",
      paramLabel = "GUARD",
      split = ",",
      description = {
        "Sabotage: take out what keeps Belay correct, to see it caught:",
        "${COMPLETION-CANDIDATES}."
      })
  List<RaceGuard> removed = List.of();

  /** Whether this is the default world, for which the demands on each seed are made. */
  boolean isWhole() {
    return steps == null
        && !noFaults
        && only.isEmpty()
        && without.isEmpty()
        && tasks == null
        && runs == null
        && trouble == null
        && elections == null;
  }

  /** Throws IllegalArgumentException when the options are inconsistent. */
  LongFunction<Scenario> scenarios() {
    if ((steps != null && steps < 1)
        || (tasks != null && tasks < 0)
        || (runs != null && runs < 0)) {
      throw new IllegalArgumentException(
          "--steps must be positive, --tasks and --runs not negative");
    }
    var faults = faults();
    var guards = Guards.without(removed);
    return seed -> {
      var usual = Scenario.of(seed);
      return new Scenario(
          seed,
          faults,
          tasks == null ? usual.tasks() : tasks,
          runs == null ? usual.runs() : runs,
          trouble == null ? usual.trouble() : trouble,
          elections == null ? usual.elections() : elections,
          steps == null ? usual.stepsMax() : steps,
          guards);
    };
  }

  private Set<FaultKind> faults() {
    var faults = EnumSet.noneOf(FaultKind.class);
    if (!noFaults) {
      faults.addAll(only.isEmpty() ? EnumSet.allOf(FaultKind.class) : only);
    }
    without.forEach(faults::remove);
    return faults;
  }

  /** Parses a duration as everywhere else in Belay. */
  static final class DurationText implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return Durations.parse(text)
          .filter(Duration::isPositive)
          .orElseThrow(
              () -> new TypeConversionException("\"" + text + "\" is no time like 90s or 1h"));
    }
  }
}
