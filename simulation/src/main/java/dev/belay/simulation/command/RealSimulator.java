package dev.belay.simulation.command;

import dev.belay.simulation.Coverage;
import dev.belay.simulation.Result;
import dev.belay.simulation.Scenario;
import java.util.Set;
import java.util.function.Consumer;

/** The one that is meant. */
public final class RealSimulator implements Simulator {

  @Override
  public Result run(Scenario scenario) {
    throw new UnsupportedOperationException("not yet bound");
  }

  @Override
  public Result trace(Scenario scenario, Consumer<String> lines) {
    throw new UnsupportedOperationException("not yet bound");
  }

  @Override
  public Set<String> expected(Coverage.Kind kind) {
    return Set.of();
  }
}
