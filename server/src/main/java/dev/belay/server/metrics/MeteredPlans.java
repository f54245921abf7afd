package dev.belay.server.metrics;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.plan.Plan;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.PlanStore;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Counts what planning creates and ends. Of plans that lost a move (somebody else was faster) the
 * moves are not counted: which of them were made is not known here.
 */
public record MeteredPlans(PlanStore store, BelayMetrics metrics) implements PlanStore {

  @Override
  public Applied apply(Epoch epoch, List<PlannedRun> plans, Collection<Long> marks) {
    Applied applied = store.apply(epoch, plans, marks);
    boolean allMoved = applied.lostMoves() == 0;
    for (PlannedRun planned : plans) {
      Plan plan = planned.plan();
      metrics.received(BelayMetrics.Source.RUN, plan.creations().size());
      Stream.concat(
              plan.creations().stream().map(Plan.Creation::state),
              plan.moves().stream().filter(move -> allMoved).map(Plan.Move::to))
          .filter(TaskState::isTerminal)
          .forEach(state -> metrics.completed(state, 1));
    }
    applied.ended().values().forEach(metrics::runCompleted);
    return applied;
  }

  @Override
  public List<Mark> readMarks(int max) {
    return store.readMarks(max);
  }

  @Override
  public List<StoredRun> readRuns(Collection<RunId> runs) {
    return store.readRuns(runs);
  }

  @Override
  public String readSpec(WorkflowId workflow) {
    return store.readSpec(workflow);
  }

  @Override
  public void postpone(Epoch epoch, Collection<Long> marks) {
    store.postpone(epoch, marks);
  }

  @Override
  public boolean isRefused(RuntimeException failure) {
    return store.isRefused(failure);
  }
}
