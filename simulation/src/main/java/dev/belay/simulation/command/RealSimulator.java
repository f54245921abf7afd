package dev.belay.simulation.command;

import dev.belay.simulation.Coverage;
import dev.belay.simulation.Result;
import dev.belay.simulation.Scenario;
import dev.belay.simulation.Simulation;
import dev.belay.simulation.model.MemoryStore;
import java.util.Set;
import java.util.function.Consumer;

/** The simulation on the store in memory. */
public final class RealSimulator implements Simulator {

  @Override
  public Result run(Scenario scenario) {
    return Simulation.run(scenario, MemoryStore::new);
  }

  @Override
  public Result trace(Scenario scenario, Consumer<String> lines) {
    return Simulation.trace(scenario, MemoryStore::new, lines);
  }

  @Override
  public Set<String> expected(Coverage.Kind kind) {
    return Simulation.expected(kind);
  }
}
