package dev.belay.simulation;

import dev.belay.domain.id.Ids;
import dev.belay.domain.settle.Judge;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Election;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.PlanStore;
import dev.belay.engine.port.ResultStore;
import dev.belay.engine.port.WorkerStore;

/**
 * A store as the simulation uses it: the engine's ports, the way in for clients, and what is in it.
 */
interface Store extends AutoCloseable {

  PlanStore plans();

  DispatchStore dispatches();

  WorkerStore workers();

  ResultStore results(Judge judge);

  Election election(String replica);

  Intake intake(Ids ids, Hints hints);

  Observed observed();

  @Override
  void close();
}
