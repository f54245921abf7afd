package dev.belay.server.metrics;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.PlanStore;
import java.util.Collection;
import java.util.List;

/** Counts what planning creates and ends. */
public record MeteredPlans(PlanStore store, BelayMetrics metrics) implements PlanStore {

  @Override
  public Applied apply(Epoch epoch, List<PlannedRun> plans, Collection<Long> marks) {
    Applied applied = store.apply(epoch, plans, marks);
    metrics.received(BelayMetrics.Source.RUN, applied.created());
    applied.tasksEnded().forEach(metrics::completed);
    applied.ended().values().forEach(metrics::runCompleted);
    return applied;
  }

  @Override
  public List<Mark> readMarks(int max, Collection<RunId> except) {
    return store.readMarks(max, except);
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
