package dev.belay.simulation.command;

import dev.belay.simulation.Coverage;
import dev.belay.simulation.Result;
import dev.belay.simulation.Scenario;
import java.util.Set;
import java.util.function.Consumer;

/** Runs one scenario at a time for each thread that calls it. */
public interface Simulator {

  Result run(Scenario scenario);

  /** The same, and tells each line of the trace as it comes. */
  Result trace(Scenario scenario, Consumer<String> lines);

  /** What must occur in many seeds. */
  Set<String> expected(Coverage.Kind kind);
}
