package dev.belay.simulation.command;

import dev.belay.simulation.FaultKind;
import dev.belay.simulation.Scenario;
import dev.belay.workflow.Durations;
import java.util.Collection;
import java.util.EnumSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The command line that runs a scenario again. */
final class Replay {

  private Replay() {}

  static String command(Scenario scenario) {
    var usual = Scenario.of(scenario.seed());
    var line = new StringBuilder("./belay simulate --seed ").append(scenario.seed());
    line.append(faults(scenario));
    if (scenario.tasks() != usual.tasks()) {
      line.append(" --tasks ").append(scenario.tasks());
    }
    if (scenario.runs() != usual.runs()) {
      line.append(" --runs ").append(scenario.runs());
    }
    if (!scenario.elections().equals(usual.elections())) {
      line.append(" --elections ").append(Durations.format(scenario.elections()));
    }
    if (!scenario.trouble().equals(usual.trouble())) {
      line.append(" --trouble ").append(Durations.format(scenario.trouble()));
    }
    if (scenario.stepsMax() != usual.stepsMax()) {
      line.append(" --steps ").append(scenario.stepsMax());
    }
    if (!scenario.guards().missing().isEmpty()) {
      line.append(" --remove-guard ").append(names(scenario.guards().missing()));
    }
    return line.append(" --trace").toString();
  }

  private static String faults(Scenario scenario) {
    var missing = EnumSet.allOf(FaultKind.class);
    missing.removeAll(scenario.faults());
    if (scenario.faults().isEmpty()) {
      return " --no-faults";
    }
    if (missing.isEmpty()) {
      return "";
    }
    return missing.size() < scenario.faults().size()
        ? " --without " + names(missing)
        : " --only " + names(scenario.faults());
  }

  private static String names(Collection<? extends Enum<?>> values) {
    return values.stream().map(Enum::name).collect(Collectors.toCollection(TreeSet::new)).stream()
        .collect(Collectors.joining(","));
  }
}
