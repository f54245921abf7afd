package dev.belay.simulation.command;

import dev.belay.simulation.Coverage;
import dev.belay.simulation.Result;
import dev.belay.simulation.Scenario;
import java.util.Set;
import java.util.function.Consumer;

/** Runs scenarios, one at a time for each calling thread. */
public interface Simulator {

  Result run(Scenario scenario);

  /** The same, and passes on each line of the trace. */
  Result trace(Scenario scenario, Consumer<String> lines);

  /** Events that must occur in many seeds. */
  Set<String> expected(Coverage.Kind kind);
}
