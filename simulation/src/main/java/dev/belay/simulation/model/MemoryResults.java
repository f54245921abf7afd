package dev.belay.simulation.model;

import dev.belay.domain.settle.Judge;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.ResultStore;
import dev.belay.session.gateway.WorkerEvent;
import java.util.List;
import java.util.Map;

/** Stands in until the real one is merged. */
record MemoryResults(Tables tables, Judge judge) implements ResultStore {

  @Override
  public Outcome apply(List<WorkerEvent> events) {
    throw new UnsupportedOperationException("writes " + events);
  }

  Given giveUp(Transaction transaction, List<WorkerEvent.Lost> lost, String actor) {
    throw new UnsupportedOperationException(actor + " gives up " + lost);
  }

  record Given(List<WorkerEvent.Lost> applied, Map<TaskState, Integer> ended, boolean planSoon) {}
}
